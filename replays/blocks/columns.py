"""A log's lines as a text without its measured numbers, and these beside it: two things that each pack well.

``seq`` counts, and the times of a choice are noise, so that between the words of a line they keep ``zstd`` from seeing
that two lines are alike. Here each becomes a column: what it differs by from what is expected, four bytes a number, all
lowest bytes first. The way back is exact for what our encoder writes; whoever packs compares before anything is let go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

NAMES = (b"seq", b"charged_us", b"bank_ms", b"idle_us", b"wall_us", b"queued_us")
"""The fields with a column of their own, in the order of their columns."""
COUNTED = (b"seq", b"bank_ms")
"""What differs little from the number before it."""
PARTS = (b"charged_us", b"idle_us", b"queued_us")
"""What the time by the wall is nearly the sum of."""
_FIELDS = b"|".join(NAMES)
# between quotation marks none of them can be part of a text, in which these are escaped
_NUMBER = re.compile(rb'"(%s)":(0|[1-9][0-9]{0,8})(?=[,}])' % _FIELDS)
_GAP = re.compile(rb'"(%s)":(?=[,}])' % _FIELDS)
WIDTH, ROUND = 4, 1 << 32
"""Bytes of a number, which is kept modulo so many."""


def take_apart(body: bytes) -> tuple[bytes, bytes]:
    r"""Return the lines without the numbers of the columns, and the columns.

    >>> take_apart(b'{"seq":0,"bank_ms":7}\n')
    (b'{"seq":,"bank_ms":}\n', b'\x00\x00\x00\x00\x07\x00\x00\x00')
    """
    taken: dict[bytes, list[int]] = {name: [] for name in NAMES}

    def take(found: re.Match[bytes]) -> bytes:
        taken[found[1]].append(int(found[2]))
        return b'"%s":' % found[1]

    text = _NUMBER.sub(take, body)
    return text, b"".join(_planes(_less_expected(name, taken)) for name in NAMES)


def put_together(text: bytes, columns: bytes) -> bytes:
    """Return the lines of which these are text and columns; raises ValueError where one does not fit the other."""
    gaps = [found[1] for found in _GAP.finditer(text)]
    if len(columns) != WIDTH * len(gaps):
        raise ValueError(f"{len(columns)} bytes of numbers for {len(gaps)} gaps")
    left: dict[bytes, list[int]] = {}
    start = 0
    for name in NAMES:
        end = start + WIDTH * gaps.count(name)
        left[name] = _numbers(columns[start:end])
        start = end
    numbers: dict[bytes, Iterator[int]] = {name: iter(_with_expected(name, left)) for name in NAMES}
    return _GAP.sub(lambda found: b'"%s":%d' % (found[1], next(numbers[found[1]])), text)


def _less_expected(name: bytes, taken: dict[bytes, list[int]]) -> list[int]:
    values = taken[name]
    if name in COUNTED:
        return [value - before for before, value in zip([0, *values], values, strict=False)]
    return [value - sum(parts) for value, *parts in zip(values, *_parts(name, taken), strict=True)]


def _with_expected(name: bytes, left: dict[bytes, list[int]]) -> list[int]:
    values = left[name]
    if name in COUNTED:
        total = 0
        return [total := (total + value) % ROUND for value in values]
    return [(value + sum(parts)) % ROUND for value, *parts in zip(values, *_parts(name, left), strict=True)]


def _parts(name: bytes, columns: dict[bytes, list[int]]) -> list[list[int]]:
    """Return the columns of which this one is nearly the sum; none where not every choice was metered."""
    parts = [columns[part] for part in PARTS] if name == b"wall_us" else []
    return parts if all(len(part) == len(columns[name]) for part in parts) else []


def _planes(numbers: list[int]) -> bytes:
    packed = b"".join((number % ROUND).to_bytes(WIDTH, "little") for number in numbers)
    return b"".join(packed[byte::WIDTH] for byte in range(WIDTH))


def _numbers(planes: bytes) -> list[int]:
    count = len(planes) // WIDTH
    return [int.from_bytes(planes[at::count], "little") for at in range(count)]
