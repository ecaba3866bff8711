"""Of all thefts that a viewer may believe in, each is dealt as often as any other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from ftk_core.facts import Action, Fact, Viewer, tell
from ftk_core.games.kings_court.box import Options
from ftk_core.games.kings_court.facts import Accuse, Dismiss, Help, Hide
from ftk_core.games.kings_court.rules import GAME
from ftk_core.games.kings_court.state import Table
from ftk_core.rng import Chance, seed_of
from tests.support.laws.hiding import hides_evenly, worlds

CHANCE = Chance(seed_of("theft"))
HIDDEN = (Hide, Dismiss, Help)
Theft = tuple[Options, tuple[Action, ...], Viewer]
THEFTS: dict[str, Theft] = {
    "an empty box that comes to the fourth": (
        Options(), (Hide(2), Dismiss(), Help(5), Help(0, "peasant"), Help(5), Help(1)), 4,
    ),
    "a fake diamond that was in the box of the third": (
        Options(fake=True), (Hide(3), Dismiss("peasant"), Help(4), Help(5), Help(0, None, fake=True), Help(1)), 3,
    ),
    "an urchin at the end, and one Thief whom the King has caught": (
        Options(), (Hide(0), Dismiss(), Help(0, "usurper"), Help(11), Help(1), Help(1), Help(), Accuse(2)), 3,
    ),
    "a fake diamond that was shown": (
        Options(fake=True),
        (Hide(1), Dismiss(), Help(9), Help(1), Help(1), Help(1, None, fake=True), Help(), Accuse(4)), 2,
    ),
}  # fmt: skip


def played(options: Options, actions: tuple[Action, ...]) -> tuple[list[tuple[int, Action]], list[Fact], Table]:
    """Return who chose what, what happened, and the court then."""
    table, script, facts = GAME.setup(6, options), list[tuple[int, Action]](), list[Fact]()
    for action in actions:
        seat = GAME.turn(table)[0]
        script.append((seat, action))
        for fact in GAME.decide(table, seat, action, CHANCE):
            facts.append(fact)
            table = GAME.apply(table, fact)
    return script, facts, table


def as_it_lies(table: Table) -> tuple[Any, ...]:
    return table.hidden, table.dismissed, table.takes, table.arrivals


def is_even(game: Any, theft: str) -> int:
    options, actions, viewer = THEFTS[theft]
    script, facts, table = played(options, actions)
    told = [tell(fact, viewer) for fact in facts]
    every = worlds(GAME, GAME.setup(6, options), script, told, HIDDEN, viewer)
    return hides_evenly(game, table, viewer, every, as_it_lies)


@pytest.mark.parametrize("theft", THEFTS)
def test_every_theft_that_the_viewer_may_believe_in_is_as_likely(theft: str) -> None:
    assert is_even(GAME, theft) > 1


def test_the_test_finds_that_nothing_is_dealt_again() -> None:
    with pytest.raises(AssertionError):
        is_even(replace(GAME, resample=lambda table, _viewer, _chance: table), next(iter(THEFTS)))


def test_the_test_finds_a_take_that_was_revealed_and_is_dealt_again() -> None:
    def forgetful(table: Table, viewer: Viewer, chance: Chance) -> Table:
        assert GAME.resample
        return GAME.resample(changed(table, revealed=(False,) * 6, recovered=0), viewer, chance)

    with pytest.raises(AssertionError):
        is_even(replace(GAME, resample=forgetful), "an urchin at the end, and one Thief whom the King has caught")
