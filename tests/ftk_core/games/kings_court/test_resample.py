"""Resampling of thefts: every theft that is consistent with a viewer's knowledge is drawn equally often."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from ftk_core.facts import PUBLIC, Action, Fact, Viewer, redact
from ftk_core.games.kings_court.facts import (
    AccuseAction,
    AllowAccusationAction,
    DismissAction,
    HideAction,
    SilenceAction,
    StopAccusationAction,
    TakeAction,
)
from ftk_core.games.kings_court.roles_and_options import GUARD, PEASANT, PRINCESS, USURPER
from ftk_core.games.kings_court.rules import GAME
from ftk_core.games.kings_court.table_state import TableState, new_court, step
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.laws.hiding import check_uniform_resampling, list_possible_states

CHANCE = MatchRandomness(seed_of("theft"))
HIDDEN = (HideAction, DismissAction, TakeAction)
Theft = tuple[TableState, tuple[Action, ...], Viewer]
THEFTS: dict[str, Theft] = {
    "an empty box that comes to the fourth": (
        new_court(6), (HideAction(2), DismissAction(), TakeAction(5), TakeAction(0, "peasant"), TakeAction(5),
        TakeAction(1)), 4,
    ),
    "a fake diamond that was in the box of the third": (
        new_court(6, fake=True), (HideAction(3), DismissAction("peasant"), TakeAction(4), TakeAction(5),
        TakeAction(0, None, fake=True), TakeAction(1)), 3,
    ),
    "an urchin at the end, and one Thief whom the King has caught": (
        new_court(6), (HideAction(0), DismissAction(), TakeAction(0, "usurper"), TakeAction(11), TakeAction(1),
        TakeAction(1), TakeAction(), AccuseAction(2)), 3,
    ),
    "a fake diamond that was shown": (
        new_court(6, fake=True),
        (HideAction(1), DismissAction(), TakeAction(9), TakeAction(1), TakeAction(1), TakeAction(1, None, fake=True),
        TakeAction(), AccuseAction(4)), 2,
    ),
    "what the public may believe": (
        new_court(3, (GUARD, PEASANT), gifts=1), (HideAction(2), DismissAction(), TakeAction(4),
        TakeAction(0, PEASANT)), PUBLIC,
    ),
    "what the public may believe when a Thief is caught": (
        new_court(4, (USURPER,), gifts=1), (HideAction(1), DismissAction(), TakeAction(5), TakeAction(0, USURPER),
        TakeAction(1), AccuseAction(1)), PUBLIC,
    ),
    "a Guard who cries HAULT while another may still": (
        new_court(4, (PEASANT, GUARD), gifts=1),
        (HideAction(0), DismissAction(), TakeAction(0, GUARD), TakeAction(0, PEASANT), TakeAction(5), AccuseAction(3),
        StopAccusationAction()), PUBLIC,
    ),
    "a Guard who cried HAULT to no good, seen by the one who is left": (
        new_court(5, (PEASANT, GUARD), gifts=1),
        (HideAction(1), DismissAction(PEASANT), TakeAction(0, GUARD), TakeAction(2), TakeAction(2), TakeAction(8),
        AccuseAction(2), StopAccusationAction(), AllowAccusationAction(), AllowAccusationAction()), 4,
    ),
    "a Princess who chooses between two, as the public sees it": (
        new_court(4, (PRINCESS,), gifts=1),
        (HideAction(3), DismissAction(), TakeAction(0, PRINCESS), TakeAction(4), TakeAction(4), AccuseAction(1)),
        PUBLIC,
    ),
    "a Princess who chooses between two, as one of them sees it": (
        new_court(5, (PRINCESS, PEASANT), gifts=1),
        (HideAction(3), DismissAction(), TakeAction(0, PRINCESS), TakeAction(4), TakeAction(4), TakeAction(1),
        AccuseAction(1)), 3,
    ),
    "a Princess who chooses between the King and a Thief": (
        new_court(5, (PRINCESS,), gifts=1),
        (HideAction(3), DismissAction(), TakeAction(0, PRINCESS), TakeAction(4), TakeAction(4), TakeAction(2),
        AccuseAction(2), AccuseAction(1)), PUBLIC,
    ),
}  # fmt: skip


def played(table: TableState, actions: tuple[Action, ...]) -> tuple[list[tuple[int, Action]], list[Fact], TableState]:
    """Return the choices, the facts and the final court of a match in which nobody takes the floor."""
    script, facts, due = list[tuple[int, Action]](), list[Fact](), list(actions)
    while due:
        action = SilenceAction() if step(table) == "floor" else due.pop(0)
        seat = GAME.turn(table)[0]
        script.append((seat, action))
        for fact in GAME.decide(table, seat, action, CHANCE):
            facts.append(fact)
            table = GAME.apply(table, fact)
    return script, facts, table


def as_it_lies(table: TableState) -> tuple[Any, ...]:
    return table.hidden, table.dismissed, table.takes, table.arrivals


def is_even(game: Any, theft: str) -> int:
    start, actions, viewer = THEFTS[theft]
    script, facts, table = played(start, actions)
    told = [redact(fact, viewer) for fact in facts]
    every = list_possible_states(GAME, start, script, told, HIDDEN, viewer)
    return check_uniform_resampling(game, table, viewer, every, as_it_lies)


@pytest.mark.slow
@pytest.mark.parametrize("theft", THEFTS)
def test_hidden_thefts_are_resampled_uniformly_among_all_thefts_that_the_viewer_considers_possible(theft: str) -> None:
    assert is_even(GAME, theft) > 1


@pytest.mark.slow
def test_the_uniformity_test_fails_if_resampling_changes_no_hidden_information() -> None:
    with pytest.raises(AssertionError):
        is_even(replace(GAME, resample=lambda table, _viewer, _chance: table), next(iter(THEFTS)))


def test_the_uniformity_test_fails_if_resampling_changes_the_loot_of_a_caught_thief() -> None:
    def forgetful(table: TableState, viewer: Viewer, chance: MatchRandomness) -> TableState:
        assert GAME.resample
        return GAME.resample(changed(table, revealed=(False,) * 6, recovered=0), viewer, chance)

    with pytest.raises(AssertionError):
        is_even(replace(GAME, resample=forgetful), "an urchin at the end, and one Thief whom the King has caught")
