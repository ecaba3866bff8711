"""Text that describes the difference between a recorded league event and the expected event."""

from __future__ import annotations

from itertools import zip_longest

import msgspec

from ftk_core.facts import tag_of
from ftk_core.league.league_facts import LeagueFact

MAX_VALUE_CHARACTERS = 160
"""Number of characters after which a shown value is cut off."""


def describe_difference(actual: LeagueFact, expected: LeagueFact) -> str:
    """Describe the first field in which a recorded event differs from the event that its command produces."""
    if type(actual) is not type(expected):
        return f"it stands where {tag_of(expected)} must come: {_shorten(expected)}"
    names = (name for name in actual.__struct_fields__ if getattr(actual, name) != getattr(expected, name))
    name = next(names, "")
    is_now, must_be = getattr(actual, name, None), getattr(expected, name, None)
    if isinstance(is_now, tuple) and isinstance(must_be, tuple):
        pairs = zip_longest(is_now, must_be)
        at, (is_now, must_be) = next((at, pair) for at, pair in enumerate(pairs) if pair[0] != pair[1])
        name = f"{name}[{at}]"
    return f"its {name} is {_shorten(is_now)}, where the facts before it make {_shorten(must_be)}"


def _shorten(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_VALUE_CHARACTERS else f"{text[:MAX_VALUE_CHARACTERS]}..."
