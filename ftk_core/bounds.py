"""What a field of a view can hold, said in its type: for whoever reads views without knowing the game.

Each of these is a mark for ``Annotated``. It stands in the type's JSON Schema, and nothing is checked by it when a
value is made or read: facts and views stay as quick as they are, and old logs are read as ever. `ftk_core.rl` makes
fixed rows of numbers from these marks.
"""

from __future__ import annotations

import msgspec

EACH = "each"
HALF = "half"
HIDDEN = "hidden"
"""Keys of what a JSON Schema has no word for."""


def number(low: int, high: int) -> msgspec.Meta:
    """Mark an integer with the least and the greatest it can be."""
    return msgspec.Meta(extra_json_schema={"minimum": low, "maximum": high})


def endless(half: int) -> msgspec.Meta:
    """Mark an integer from 0 up that no rule ends; by `half` it is about as large as it mostly gets."""
    return msgspec.Meta(extra_json_schema={"minimum": 0}, extra={HALF: half})


def one_of(*words: str | int) -> msgspec.Meta:
    """Mark a word, or an integer that is a name and no quantity, with all that it can be."""
    return msgspec.Meta(extra_json_schema={"enum": list(words)})


def seat_of(most: int) -> msgspec.Meta:
    """Mark a seat's number with how many seats there are at the most."""
    return one_of(*range(most))


def row(most: int) -> msgspec.Meta:
    """Mark a tuple in which places count, with how long it can be."""
    return msgspec.Meta(extra_json_schema={"maxItems": most})


def bag(each: int) -> msgspec.Meta:
    """Mark a tuple in which only counts: how often each of its words is there, `each` times at the most."""
    return msgspec.Meta(extra={EACH: each})


def hidden() -> msgspec.Meta:
    """Mark what is None to every seat: the omniscient alone sees it."""
    return msgspec.Meta(extra={HIDDEN: True})
