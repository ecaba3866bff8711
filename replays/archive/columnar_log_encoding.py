"""Separation of a match log into text and columns of numbers, for better compression."""
# Counters and times differ in each line, so that zstd finds no similar lines. A column stores each number's difference
# from an expected value in four bytes: first the lowest bytes of all numbers, then the second lowest, and so on. The
# archive compares the restored log with the original before it deletes the original.

from __future__ import annotations

import re
from collections.abc import Iterator

NAMES = (b"seq", b"charged_us", b"bank_ms", b"idle_us", b"wall_us", b"queued_us")
"""Number fields that become a column, in the order of the columns."""
DELTA_FIELDS = (b"seq", b"bank_ms")
"""Fields whose numbers are stored as the difference from the previous number of the same field."""
PARTS = (b"charged_us", b"idle_us", b"queued_us")
"""Fields whose sum is subtracted from each number of the field ``wall_us``, so that smaller numbers are stored."""
_FIELDS = b"|".join(NAMES)
# quotation marks inside JSON strings are escaped, so these patterns cannot match inside a string
_NUMBER = re.compile(rb'"(%s)":(0|[1-9][0-9]{0,8})(?=[,}])' % _FIELDS)
_GAP = re.compile(rb'"(%s)":(?=[,}])' % _FIELDS)
WIDTH, ROUND = 4, 1 << 32
"""Bytes per number in a column, and the modulus of the stored numbers (2 to the power of 32)."""


def split_columns(body: bytes) -> tuple[bytes, bytes]:
    r"""Move the numbers out of a log's lines; return the text with gaps, and the numbers.

    Numbers are grouped by field, four bytes per number. In the example these are `seq`, then `bank_ms`.

    >>> split_columns(b'{"seq":0,"bank_ms":7}\n')
    (b'{"seq":,"bank_ms":}\n', b'\x00\x00\x00\x00\x07\x00\x00\x00')
    """
    taken: dict[bytes, list[int]] = {name: [] for name in NAMES}

    def take(found: re.Match[bytes]) -> bytes:
        taken[found[1]].append(int(found[2]))
        return b'"%s":' % found[1]

    text = _NUMBER.sub(take, body)
    return text, b"".join(_byte_planes(_subtract_expected(name, taken)) for name in NAMES)


def join_columns(text: bytes, columns: bytes) -> bytes:
    """Restore the lines of a log from the results of `split_columns`.

    Raises ValueError if the numbers do not match the gaps.
    """
    gaps = [found[1] for found in _GAP.finditer(text)]
    if len(columns) != WIDTH * len(gaps):
        raise ValueError(f"{len(columns)} bytes of numbers for {len(gaps)} gaps")
    left: dict[bytes, list[int]] = {}
    start = 0
    for name in NAMES:
        end = start + WIDTH * gaps.count(name)
        left[name] = _join_planes(columns[start:end])
        start = end
    numbers: dict[bytes, Iterator[int]] = {name: iter(_add_expected(name, left)) for name in NAMES}
    return _GAP.sub(lambda found: b'"%s":%d' % (found[1], next(numbers[found[1]])), text)


def _subtract_expected(name: bytes, taken: dict[bytes, list[int]]) -> list[int]:
    values = taken[name]
    if name in DELTA_FIELDS:
        return [value - before for before, value in zip([0, *values], values, strict=False)]
    return [value - sum(parts) for value, *parts in zip(values, *_column_parts(name, taken), strict=True)]


def _add_expected(name: bytes, left: dict[bytes, list[int]]) -> list[int]:
    values = left[name]
    if name in DELTA_FIELDS:
        total = 0
        return [total := (total + value) % ROUND for value in values]
    return [(value + sum(parts)) % ROUND for value, *parts in zip(values, *_column_parts(name, left), strict=True)]


def _column_parts(name: bytes, columns: dict[bytes, list[int]]) -> list[list[int]]:
    """Return the columns that are subtracted from the column `name`; empty for all columns but ``wall_us``."""
    # `wall_us`, the whole time of a choice, is about the sum of the times in PARTS, so that the differences are small.
    parts = [columns[part] for part in PARTS] if name == b"wall_us" else []
    return parts if all(len(part) == len(columns[name]) for part in parts) else []


def _byte_planes(numbers: list[int]) -> bytes:
    packed = b"".join((number % ROUND).to_bytes(WIDTH, "little") for number in numbers)
    return b"".join(packed[byte::WIDTH] for byte in range(WIDTH))


def _join_planes(planes: bytes) -> list[int]:
    count = len(planes) // WIDTH
    return [int.from_bytes(planes[at::count], "little") for at in range(count)]
