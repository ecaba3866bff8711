"""Nobody sees more than they were told: not in a view, not in a menu, not in the keys of a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from ftk_core.facts import PUBLIC, Fact, encode, secrets_of, tell
from tests.laws.census import CENSUS
from tests.laws.tables import EVERY, Story, told

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)
PAIRS = 8
"""So many pairs of hidden things are exchanged in a match, for every viewer."""
STRIDE = 7
"""The looks of a match are compared after every so many facts."""
TRIES = 12
"""So many things are tried in the place of another that moved unseen."""


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
    """Yield the number of each state with the names that a viewer was not told, so far, in any way.

    What already stands in the view of the bare table, such as the kinds of characters in play, is no secret.
    """
    hidden, openly = set[str](), names_in(plain(match.game.view(match.states[0], viewer)))
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
            hidden = dict(unknown(match, viewer))
            draw = Random(viewer)
            for _ in range(PAIRS):
                at = draw.randrange(len(match.facts)) + 1
                if len(hidden[at]) > 1:
                    one, other = draw.sample(sorted(hidden[at]), 2)
                    until = max(number for number, names in hidden.items() if {one, other} <= names)
                    facts = [exchanged(match, fact, one, other) for fact in match.facts[:until]]
                    looks_the_same(match, 0, facts, viewer)


@EVERYWHERE
def test_a_secret_does_not_show_in_what_was_open_before(name: str, seats: int) -> None:
    """Let another thing be the one that went secretly: whoever was not told which sees no difference."""
    tried = 0
    for match in told(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            draw = Random(viewer)
            hidden = [at for at, fact in enumerate(match.facts) if at and hidden_in(fact, viewer)]
            for at in draw.sample(hidden, min(len(hidden), 4 * PAIRS)):
                one = draw.choice(sorted(hidden_in(match.facts[at], viewer)))
                for other in draw.sample(sorted(CENSUS[name](match.states[at])), TRIES):
                    fact = exchanged(match, match.facts[at], one, other)
                    if is_possible(match, at, fact):
                        tried += 1
                        looks_the_same(match, at, [fact], viewer)
    assert tried or not any(secrets_of(type(fact)) for match in told(name, seats) for fact in match.facts)


def is_possible(match: Story, at: int, fact: Fact) -> bool:
    """Tell whether a fact could have followed there: nothing is lost by it, and nothing is doubled."""
    try:
        after = match.game.apply(match.states[at], fact)
    except ValueError:  # what is not there cannot be moved
        return False
    return sorted(CENSUS[match.game.name](after)) == sorted(CENSUS[match.game.name](match.states[at]))


def looks_the_same(match: Story, at: int, facts: list[Fact], viewer: int) -> None:
    """Compare all that a viewer is sent after each of the facts with what it was sent in the match."""
    game, state = match.game, match.states[at]
    for number, fact in enumerate(facts, at + 1):
        state = game.apply(state, fact)
        assert tell(fact, viewer) == tell(match.facts[number - 1], viewer)
        if number % STRIDE == 0 or len(facts) == 1:
            view, before = game.view(state, viewer), game.view(match.states[number], viewer)
            assert view == before
            assert game.scene(view) == game.scene(before)
            if viewer in game.turn(match.states[number]):
                assert game.legal(state, viewer) == game.legal(match.states[number], viewer)


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
