"""Markers that state in a type which values a field of a view can hold.

They serve readers of views that do not know the game. Each is used inside ``Annotated`` and appears in the JSON Schema
of the type. They are not validated when a value is created or decoded: facts and views stay fast, and old logs stay
readable. `ftk_core.rl` turns views into rows of numbers of fixed length with these markers.
"""

from __future__ import annotations

import msgspec

EACH = "each"
HALF = "half"
HIDDEN = "hidden"
"""Extra keys in a JSON Schema, for bounds that JSON Schema has no keyword for."""


def number(low: int, high: int) -> msgspec.Meta:
    """Mark an integer with its minimum and maximum."""
    return msgspec.Meta(extra_json_schema={"minimum": low, "maximum": high})


def endless(half: int) -> msgspec.Meta:
    """Mark a non-negative integer without an upper bound; `half` is about as large as it usually gets."""
    return msgspec.Meta(extra_json_schema={"minimum": 0}, extra={HALF: half})


def one_of(*words: str | int) -> msgspec.Meta:
    """Mark a word, or an integer used as a name, with all its possible values."""
    return msgspec.Meta(extra_json_schema={"enum": list(words)})


def seat_of(most: int) -> msgspec.Meta:
    """Mark a seat number with the maximum number of seats."""
    return one_of(*range(most))


def row(most: int) -> msgspec.Meta:
    """Mark a tuple whose order matters with its maximum length."""
    return msgspec.Meta(extra_json_schema={"maxItems": most})


def bag(each: int) -> msgspec.Meta:
    """Mark a tuple whose order does not matter; each of its words occurs at most `each` times."""
    return msgspec.Meta(extra={EACH: each})


def hidden() -> msgspec.Meta:
    """Mark a field that is None for every seat; only the omniscient viewer sees its value."""
    return msgspec.Meta(extra={HIDDEN: True})
