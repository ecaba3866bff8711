"""Reviews from a seat's own viewpoint: they do not depend on anything that the seat did not know."""

from __future__ import annotations

import dataclasses
import os
from itertools import islice
from random import Random
from typing import Any

import pytest

from ftk_core.analysis.choice_evaluation import ChoiceEvaluation
from ftk_core.analysis.match_review import review
from ftk_core.analysis.match_review_facts import ChoiceEvaluated
from ftk_core.analysis.playouts import QuickPlayoutPolicy
from ftk_core.game import MatchResult
from ftk_core.games import game
from ftk_core.match_moves import MatchMove, MoveHistory
from ftk_core.match_state_from_log import AnyGame
from ftk_core.random_streams import seed_of
from ftk_core.referee import build_opening
from tests.support.finger_game import FINGERS, Table, Throw, Thrown
from tests.support.laws.twins import SECRET_GAMES, Twins, twin_questions

PAIRS = int(os.environ.get("FTK_TWIN_PAIRS", "40"))
"""Pairs of states that look the same to a seat; `make laws` compares more."""
PLAYOUTS = 8


def weigh(rules: AnyGame, twins: Twins, state: Any, number: int, turn_start: Any = None) -> ChoiceEvaluation | None:
    """Return the review's verdict about a choice of the seat in one of the states.

    `turn_start` is the state before the simultaneous choices of other seats, by default the same state.
    """
    menu, seed = rules.legal(state, twins.seat), seed_of("own reviews", number)
    postponed = number % 2 == 0 and rules.postpones(menu[0])  # one of many items, which reviews compare in another way
    chosen = 0 if postponed else Random(number).randrange(len(menu))
    move = MatchMove(
        seat=twins.seat, seats=twins.seats, menu=menu, chosen=chosen, entry=1,
        turn_start=turn_start or state, before=state, after=state, facts=(), frame=1,
    )  # fmt: skip
    opened = build_opening(rules, "match", ["Player"] * twins.seats, seed)
    moves = MoveHistory(
        game=rules, opened=opened, before_deal=state, dealt=state, dealt_at=1, moves=(move,), places=(), seed=seed
    )
    weighed = next(iter(review(moves, QuickPlayoutPolicy(), PLAYOUTS, "own", "build", begin=3)))
    assert isinstance(weighed, ChoiceEvaluated)
    return weighed.weighing


def compare_verdicts(rules: AnyGame, pairs: int) -> None:
    """Compare the verdicts about the same choice in states that look the same to the seat."""
    for number, twins in enumerate(islice(twin_questions(rules), pairs)):
        assert weigh(rules, twins, twins.here, number) == weigh(rules, twins, twins.there, number)


@pytest.mark.parametrize("name", SECRET_GAMES)
def test_a_match_review_for_a_player_does_not_depend_on_information_hidden_from_that_player(
    name: str,
) -> None:
    compare_verdicts(game(name), PAIRS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SECRET_GAMES)
def test_the_secrecy_check_detects_a_match_review_that_uses_information_hidden_from_the_player(name: str) -> None:
    leaky = dataclasses.replace(game(name), resample=lambda state, _viewer, _chance: state)
    with pytest.raises(AssertionError):
        compare_verdicts(leaky, 10 * PAIRS)


class OpenThrown(Thrown, frozen=True, tag="fingers_shown"):
    """Choice that a seat has made; everybody sees it after all have chosen."""

    fingers: int


def test_a_match_review_for_a_player_does_not_depend_on_simultaneous_choices_in_a_game_without_secrets() -> None:
    def rank(table: Table) -> MatchResult:
        one, other = dict(table.thrown)[0], dict(table.thrown)[1]
        return MatchResult((2, 1), (0, 1)) if one == other else MatchResult((1, 2), (1, 0))

    rules = dataclasses.replace(
        FINGERS,
        facts=OpenThrown,
        turn=lambda table: tuple(seat for seat in range(table.seats) if seat not in dict(table.thrown)),
        legal=lambda table, seat: tuple(map(Throw, range(3))),
        decide=lambda table, seat, action, chance: (OpenThrown(seat, action.fingers),),
        result=rank,
    )
    start = Table(2)
    verdicts = [
        weigh(rules, Twins(thrown, thrown, 1, 2, asked=True), thrown, 1, start)
        for thrown in (Table(2, ((0, fingers),)) for fingers in range(3))
    ]
    assert verdicts[0] is not None
    assert verdicts.count(verdicts[0]) == 3
