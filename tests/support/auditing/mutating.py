"""Changes of a league's stream: each field of a fact changed, a fact left out, or a fact inserted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from ftk_core.league.event_fields import PairingQualityCertificate
from ftk_core.league.league_facts import LeagueFact

Facts = list[LeagueFact]
LEFT_OUT, TWICE, LATER, PUT_IN = ORDER = "left out", "twice", "later", "put in"
"""Changes of the order of facts: a fact is removed, duplicated, moved behind the next fact, or inserted."""


class Mutation(NamedTuple):
    """A changed stream and its description."""

    kind: str
    """Class name of the changed fact."""
    what: str
    """Name of the changed field, or the change in `ORDER`."""
    at: int
    """Index of the fact in the stream."""
    facts: Facts


def mutate_fields(facts: Sequence[LeagueFact], at: int, draw: Random) -> Iterator[Mutation]:
    """Yield the stream with each field of a fact changed, one at a time."""
    fact = facts[at]
    hints = get_type_hints(type(fact))
    for name in fact.__struct_fields__:
        value = other_value(getattr(fact, name), hints[name], draw)
        yield Mutation(type(fact).__name__, name, at, [*facts[:at], replace(fact, **{name: value}), *facts[at + 1 :]])


def mutate_order(facts: Sequence[LeagueFact], at: int, draw: Random) -> Iterator[Mutation]:
    """Yield the stream without a fact, with the fact twice, with it later, and with another fact before it."""
    fact, kind = facts[at], type(facts[at]).__name__
    yield Mutation(kind, LEFT_OUT, at, [*facts[:at], *facts[at + 1 :]])
    yield Mutation(kind, TWICE, at, [*facts[:at], fact, *facts[at:]])
    yield Mutation(kind, LATER, at, [*facts[:at], *facts[at + 1 : at + 2], fact, *facts[at + 2 :]])
    more = draw.choice(facts)
    yield Mutation(type(more).__name__, PUT_IN, at, [*facts[:at], more, *facts[at:]])


def other_value(value: Any, hint: Any, draw: Random) -> Any:
    """Return another value of the same type."""
    words = [word for part in (hint, *get_args(hint)) if get_origin(part) is Literal for word in get_args(part)]
    if words:
        return draw.choice([word for word in words if word != value])
    match value:
        case bool():
            return not value
        case int():
            return draw.choice([value + 1, value + 1000, max(0, value - 1) if value else 2, 0 if value else 1])
        case str():
            return _other_text(value, draw)
        case tuple():
            return _other_tuple(value, hint, draw)
        case msgspec.Struct():
            return _other_struct(value, draw)
        case None:
            return _value_in_place_of_none(get_args(hint), draw)
        case _:
            raise TypeError(f"no other value of {value!r} is known")


def _value_in_place_of_none(kinds: tuple[Any, ...], draw: Random) -> Any:
    if PairingQualityCertificate in kinds:
        return PairingQualityCertificate(
            repeats=0, fewest=0, known="counting", siblings=0, floaters=0, seats=1, rested=0
        )
    return draw.choice([0, 2_000_000_000] if int in kinds else ["", "Other"])


def _other_text(value: str, draw: Random) -> str:
    if value.isdecimal() or "/" in value:
        return draw.choice([f"{value}1", "7/2", "-1"])
    if len(value) >= 32 and set(value) <= set("0123456789abcdef"):
        return f"{'0' if value[0] != '0' else '1'}{value[1:]}"
    return draw.choice(["", f"{value}x"] if value else ["x", "eve"])


def _other_tuple(value: tuple[Any, ...], hint: Any, draw: Random) -> tuple[Any, ...]:
    if not value:
        inner = next((part for part in get_args(hint) if part is not Ellipsis), int)
        return (1,) if inner is int else ("python",) if inner is str else _made(inner)
    at = draw.randrange(len(value))
    ways = [(*value[:at], *value[at + 1 :]), (*value, value[at])]
    if len(set(value)) > 1:
        ways.append(value[::-1] if value[::-1] != value else (*value[1:], value[0]))
    inner = next((part for part in get_args(hint) if part is not Ellipsis), type(value[at]))
    ways.append((*value[:at], other_value(value[at], inner, draw), *value[at + 1 :]))
    return draw.choice(ways)


def _made(kind: Any) -> tuple[Any, ...]:
    """Return a tuple with one item of this type, which is a struct or a pair of numbers."""
    if get_origin(kind) is tuple:
        return ((1, 1500),)
    return (msgspec.convert({"entry": 1, "points": "1", "why": "odd"}, kind),)


def _other_struct(value: msgspec.Struct, draw: Random) -> msgspec.Struct:
    hints = get_type_hints(type(value))
    name = draw.choice(value.__struct_fields__)
    return replace(value, **{name: other_value(getattr(value, name), hints[name], draw)})
