"""Separation of a log into text and columns of numbers, which compress better apart.

``seq`` is a counter and the times of a choice are noise, so between the words of a line they hide from ``zstd`` that
two lines are alike. Here each becomes a column of differences from an expected value, four bytes a number, all lowest
bytes first. The inverse is exact for the output of our encoder; the caller compares before it deletes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

NAMES = (b"seq", b"charged_us", b"bank_ms", b"idle_us", b"wall_us", b"queued_us")
"""Fields with a column, in the order of the columns."""
COUNTED = (b"seq", b"bank_ms")
"""Fields that differ little from the previous value."""
PARTS = (b"charged_us", b"idle_us", b"queued_us")
"""Fields whose sum is nearly the wall time."""
_FIELDS = b"|".join(NAMES)
# quotation marks inside texts are escaped, so none of these can be part of a text
_NUMBER = re.compile(rb'"(%s)":(0|[1-9][0-9]{0,8})(?=[,}])' % _FIELDS)
_GAP = re.compile(rb'"(%s)":(?=[,}])' % _FIELDS)
WIDTH, ROUND = 4, 1 << 32
"""Bytes per number, and the modulus of the stored numbers."""


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
    """Return the lines of a text and its columns; raises ValueError if they do not fit together."""
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
    """Return the columns whose sum this one nearly is; none if not every choice was metered."""
    parts = [columns[part] for part in PARTS] if name == b"wall_us" else []
    return parts if all(len(part) == len(columns[name]) for part in parts) else []


def _planes(numbers: list[int]) -> bytes:
    packed = b"".join((number % ROUND).to_bytes(WIDTH, "little") for number in numbers)
    return b"".join(packed[byte::WIDTH] for byte in range(WIDTH))


def _numbers(planes: bytes) -> list[int]:
    count = len(planes) // WIDTH
    return [int.from_bytes(planes[at::count], "little") for at in range(count)]
