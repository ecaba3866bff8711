"""Annotations that bound the values that a bot can see in a game state.

The annotations are used inside ``Annotated``, and the bounds appear in the JSON Schema. Learning programs use the
bounds to encode states as vectors of fixed length.
"""
# Bounds are not checked when values are created or decoded: that would be slow, and old logs must stay readable.

from __future__ import annotations

import msgspec

EACH = "each"
HALF = "half"
HIDDEN = "hidden"
"""`EACH`, `HALF` and `HIDDEN` are metadata keys for bounds that JSON Schema has no keyword for."""


def number(low: int, high: int) -> msgspec.Meta:
    """Annotate an integer with its minimum and maximum."""
    return msgspec.Meta(extra_json_schema={"minimum": low, "maximum": high})


def endless(half: int) -> msgspec.Meta:
    """Annotate a non-negative integer without an upper bound.

    Learning programs receive the value n as n / (n + half), which is between 0 and 1. `half` is therefore the value
    that they receive as 0.5.
    """
    return msgspec.Meta(extra_json_schema={"minimum": 0}, extra={HALF: half})


def one_of(*values: str | int) -> msgspec.Meta:
    """Annotate a string, or an integer that names a category, with all its possible values."""
    return msgspec.Meta(extra_json_schema={"enum": list(values)})


def seat_of(most: int) -> msgspec.Meta:
    """Annotate a seat number of a game with at most `most` seats: 0 to `most` - 1."""
    return one_of(*range(most))


def row(most: int) -> msgspec.Meta:
    """Annotate a tuple whose order matters. It has at most `most` items."""
    return msgspec.Meta(extra_json_schema={"maxItems": most})


def bag(each: int) -> msgspec.Meta:
    """Annotate an unordered tuple of strings. Each string occurs at most `each` times."""
    return msgspec.Meta(extra={EACH: each})


def hidden() -> msgspec.Meta:
    """Annotate a field that no player may see. In the view of every player, the field is None."""
    # Only a viewer who may see everything gets its value.
    return msgspec.Meta(extra={HIDDEN: True})
