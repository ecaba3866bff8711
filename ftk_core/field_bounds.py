"""Annotations that bound the values of a view's fields. A view is the part of a game state that a seat may know.

The annotations serve programs that read views without knowing the game. Each is used inside ``Annotated`` and appears
in the type's JSON Schema. Bounds are not checked when a value is created or decoded: facts and views stay fast, and
old logs stay readable. `ftk_core.rl` uses these annotations to encode views as number vectors of fixed length.
"""

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
    """Annotate a non-negative integer n without an upper bound.

    Learning programs receive it as n / (n + `half`), which is below 1. So `half` is the value that they receive as
    1/2.
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
    """Annotate a tuple of strings whose order does not matter. Each string occurs in it at most `each` times."""
    return msgspec.Meta(extra={EACH: each})


def hidden() -> msgspec.Meta:
    """Annotate a field that is None in every seat's view. Only a viewer who may see everything gets its value."""
    return msgspec.Meta(extra={HIDDEN: True})
