"""Nobody sees more than they were told: not in a view, not in a menu, not in the keys of a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from ftk_core.facts import PUBLIC, Fact, encode, secrets_of, tell
from tests.laws.tables import EVERY, Story, told

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)
POINTS, PAIRS = 6, 2
"""At so many points of a match so many pairs of hidden things are exchanged, for every viewer."""


def names_in(value: Any) -> set[str]:
    """Return every string inside a value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {name for inner in value.values() for name in names_in(inner)}
    if isinstance(value, list | tuple):
        return {name for inner in value for name in names_in(inner)}
    return set()


def plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def hidden_in(fact: Fact, viewer: int) -> set[str]:
    """Return the names in a fact that a viewer is not told."""
    shown = tell(fact, viewer)
    blanked = [name for name in secrets_of(type(fact)) if getattr(shown, name) is None]
    return {name for field in blanked for name in names_in(plain(getattr(fact, field)))}


def unknown(match: Story, viewer: int) -> Iterator[tuple[int, set[str]]]:
    """Yield the number of each state with the names that a viewer was not told, so far, in any way."""
    hidden, openly = set[str](), set[str]()
    for number, fact in enumerate(match.facts, 1):
        hidden |= hidden_in(fact, viewer)
        openly |= names_in(plain(tell(fact, viewer)))
        yield number, hidden - openly


@EVERYWHERE
def test_a_view_names_nothing_that_was_not_told(name: str, seats: int) -> None:
    for match in told(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            for number, names in unknown(match, viewer):
                if names:
                    assert not names_in(plain(match.game.view(match.states[number], viewer))) & names


@EVERYWHERE
def test_a_picture_and_its_keys_name_nothing_that_was_not_told(name: str, seats: int) -> None:
    for match in told(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            for number, names in list(unknown(match, viewer))[:: max(1, len(match.facts) // 40)]:
                picture = plain(match.game.scene(match.game.view(match.states[number], viewer)))
                assert not names_in(picture) & names


@EVERYWHERE
def test_hidden_things_can_be_exchanged_without_anybody_noticing(name: str, seats: int) -> None:
    """Exchange two names in all that a viewer was not told, throughout the match: nothing looks different."""
    for match in told(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            draw = Random(viewer)
            for number, names in list(unknown(match, viewer))[:: max(1, len(match.facts) // POINTS)]:
                before = looks(match, match.facts[:number], viewer) if len(names) > 1 else ()
                for _ in range(PAIRS if before else 0):
                    pair = draw.sample(sorted(names), 2)
                    facts = [exchanged(match, fact, *pair) for fact in match.facts[:number]]
                    assert looks(match, facts, viewer) == before, (viewer, pair)


def looks(match: Story, facts: list[Fact], viewer: int) -> tuple[bytes, ...]:
    """Return everything that a viewer is sent after these facts."""
    game, state = match.game, match.game.setup(match.seats)
    for fact in facts:
        state = game.apply(state, fact)
    view = game.view(state, viewer)
    menu = game.legal(state, viewer) if viewer in game.turn(state) else ()
    return (encode(view), encode(game.scene(view)), encode(menu), encode([tell(fact, viewer) for fact in facts]))


def exchanged(match: Story, fact: Fact, one: str, other: str) -> Fact:
    text = encode(fact).decode()
    if one not in text and other not in text:
        return fact
    swap = {f'"{one}"': f'"{other}"', f'"{other}"': f'"{one}"'}
    pattern = f'"{re.escape(one)}"|"{re.escape(other)}"'
    text = re.sub(pattern, lambda found: swap[found.group()], text)
    changed: Fact = msgspec.json.Decoder(match.game.facts).decode(text)
    return changed


@EVERYWHERE
def test_a_secret_is_told_to_its_holder_and_to_nobody_else(name: str, seats: int) -> None:
    for match in told(name, seats):
        for fact in match.facts:
            for field, holder in secrets_of(type(fact)).items():
                knows = {v for v in (PUBLIC, *range(seats)) if getattr(tell(fact, v), field) is not None}
                assert knows <= ({getattr(fact, holder)} if holder else set())
