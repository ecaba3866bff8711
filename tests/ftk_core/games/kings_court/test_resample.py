"""Of all thefts that a viewer may believe in, each is dealt as often as any other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from ftk_core.facts import PUBLIC, Action, Fact, Viewer, tell
from ftk_core.games.kings_court.box import GUARD, PEASANT, PRINCESS, USURPER
from ftk_core.games.kings_court.facts import Accuse, Dismiss, Halt, Help, Hide, Silence, Stay
from ftk_core.games.kings_court.rules import GAME
from ftk_core.games.kings_court.state import Table, bare, step
from ftk_core.rng import Chance, seed_of
from tests.support.laws.hiding import hides_evenly, worlds

CHANCE = Chance(seed_of("theft"))
HIDDEN = (Hide, Dismiss, Help)
Theft = tuple[Table, tuple[Action, ...], Viewer]
THEFTS: dict[str, Theft] = {
    "an empty box that comes to the fourth": (
        bare(6), (Hide(2), Dismiss(), Help(5), Help(0, "peasant"), Help(5), Help(1)), 4,
    ),
    "a fake diamond that was in the box of the third": (
        bare(6, fake=True), (Hide(3), Dismiss("peasant"), Help(4), Help(5), Help(0, None, fake=True), Help(1)), 3,
    ),
    "an urchin at the end, and one Thief whom the King has caught": (
        bare(6), (Hide(0), Dismiss(), Help(0, "usurper"), Help(11), Help(1), Help(1), Help(), Accuse(2)), 3,
    ),
    "a fake diamond that was shown": (
        bare(6, fake=True),
        (Hide(1), Dismiss(), Help(9), Help(1), Help(1), Help(1, None, fake=True), Help(), Accuse(4)), 2,
    ),
    "what the public may believe": (
        bare(3, (GUARD, PEASANT), gifts=1), (Hide(2), Dismiss(), Help(4), Help(0, PEASANT)), PUBLIC,
    ),
    "what the public may believe when a Thief is caught": (
        bare(4, (USURPER,), gifts=1), (Hide(1), Dismiss(), Help(5), Help(0, USURPER), Help(1), Accuse(1)), PUBLIC,
    ),
    "a Guard who cries HAULT while another may still": (
        bare(4, (PEASANT, GUARD), gifts=1),
        (Hide(0), Dismiss(), Help(0, GUARD), Help(0, PEASANT), Help(5), Accuse(3), Halt()), PUBLIC,
    ),
    "a Guard who cried HAULT to no good, seen by the one who is left": (
        bare(5, (PEASANT, GUARD), gifts=1),
        (Hide(1), Dismiss(PEASANT), Help(0, GUARD), Help(2), Help(2), Help(8), Accuse(2), Halt(), Stay(), Stay()), 4,
    ),
    "a Princess who chooses between two, as the public sees it": (
        bare(4, (PRINCESS,), gifts=1), (Hide(3), Dismiss(), Help(0, PRINCESS), Help(4), Help(4), Accuse(1)), PUBLIC,
    ),
    "a Princess who chooses between two, as one of them sees it": (
        bare(5, (PRINCESS, PEASANT), gifts=1),
        (Hide(3), Dismiss(), Help(0, PRINCESS), Help(4), Help(4), Help(1), Accuse(1)), 3,
    ),
    "a Princess who chooses between the King and a Thief": (
        bare(5, (PRINCESS,), gifts=1),
        (Hide(3), Dismiss(), Help(0, PRINCESS), Help(4), Help(4), Help(2), Accuse(2), Accuse(1)), PUBLIC,
    ),
}  # fmt: skip


def played(table: Table, actions: tuple[Action, ...]) -> tuple[list[tuple[int, Action]], list[Fact], Table]:
    """Return who chose what, what happened, and the court then; nobody takes the floor."""
    script, facts, due = list[tuple[int, Action]](), list[Fact](), list(actions)
    while due:
        action = Silence() if step(table) == "floor" else due.pop(0)
        seat = GAME.turn(table)[0]
        script.append((seat, action))
        for fact in GAME.decide(table, seat, action, CHANCE):
            facts.append(fact)
            table = GAME.apply(table, fact)
    return script, facts, table


def as_it_lies(table: Table) -> tuple[Any, ...]:
    return table.hidden, table.dismissed, table.takes, table.arrivals


def is_even(game: Any, theft: str) -> int:
    start, actions, viewer = THEFTS[theft]
    script, facts, table = played(start, actions)
    told = [tell(fact, viewer) for fact in facts]
    every = worlds(GAME, start, script, told, HIDDEN, viewer)
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
