"""Descriptions of the difference between a fact and the expected one."""

from __future__ import annotations

from itertools import zip_longest

import msgspec

from ftk_core.league.facts import LeagueFact

LONGEST = 160
"""Maximum number of characters shown of a value."""


def kind_of(fact: LeagueFact) -> str:
    """Return the kind of a fact as written in the stream."""
    return str(fact.__struct_config__.tag)


def difference(found: LeagueFact, made: LeagueFact) -> str:
    """Describe the first field in which a fact differs from the one that its command produces."""
    if type(found) is not type(made):
        return f"it stands where {kind_of(made)} must come: {_shown(made)}"
    names = (name for name in found.__struct_fields__ if getattr(found, name) != getattr(made, name))
    name = next(names, "")
    is_now, must_be = getattr(found, name, None), getattr(made, name, None)
    if isinstance(is_now, tuple) and isinstance(must_be, tuple):
        pairs = zip_longest(is_now, must_be)
        at, (is_now, must_be) = next((at, pair) for at, pair in enumerate(pairs) if pair[0] != pair[1])
        name = f"{name}[{at}]"
    return f"its {name} is {_shown(is_now)}, where the facts before it make {_shown(must_be)}"


def _shown(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
