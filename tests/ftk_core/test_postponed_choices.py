"""Reviews of choices that can still be made later, such as a claim after a silence."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest

from ftk_core.analysis.action_value_estimates import evaluate_options
from ftk_core.analysis.choice_evaluation import ChoiceEvaluation
from ftk_core.analysis.playouts import QuickPlayoutPolicy
from ftk_core.facts import Action, Fact
from ftk_core.game import Game, MatchResult
from ftk_core.match_moves import MatchMove
from ftk_core.native.native_game_rules import PlayoutStartingPosition
from ftk_core.views.scene import TableScene


class Wait(Action, frozen=True, tag="wait"):
    """Do nothing."""


class Claim(Action, frozen=True, tag="claim"):
    """Claim the prize. The first seat to do so wins."""


class Chosen(Fact, frozen=True, tag="chosen"):
    """Choice of seat 0."""

    claims: bool


class Prize(msgspec.Struct, frozen=True):
    """Number of chances that seat 0 has left to claim the prize, and whether it has done so."""

    chances: int
    claimed: bool = False


def decide(_prize: Prize, _seat: int, action: Wait | Claim, _chance: object) -> tuple[Chosen, ...]:
    return (Chosen(isinstance(action, Claim)),)


GAME: Game[Prize, Wait | Claim, Chosen, Prize] = Game(
    name="prize",
    title="Prize",
    version=1,
    seats=range(2, 3),
    actions=Wait | Claim,
    facts=Chosen,
    setup=lambda seats, options: Prize(2),
    deal=lambda prize, chance: (),
    turn=lambda prize: (0,) if prize.chances and not prize.claimed else (),
    legal=lambda prize, seat: (Wait(), Claim()),
    decide=decide,
    apply=lambda prize, fact: Prize(prize.chances - 1, fact.claims),
    quick=lambda prize, seat, menu, draw: 0,
    view=lambda prize, viewer: prize,
    scene=lambda prize: TableScene(()),
    result=lambda prize: MatchResult((1, 2) if prize.claimed else (2, 1), (0, 0)),
    say=lambda fact, names, language: "",
    postpones=lambda action: isinstance(action, Wait),
)


def weigh_waiting(rules: Game[Prize, Wait | Claim, Chosen, Prize], chances: int) -> ChoiceEvaluation:
    """Return the review's evaluation of a seat that waits with `chances` chances left; the policy always waits."""
    state = Prize(chances)
    move = MatchMove(
        seat=0, seats=2, menu=rules.legal(state, 0), chosen=0, entry=1, turn_start=state, before=state, after=state,
        facts=(), frame=1,
    )  # fmt: skip
    position = PlayoutStartingPosition(game=rules, state=state, seats=2, viewer=0)
    return evaluate_options(position, move, QuickPlayoutPolicy(), ("postponed",), 12)


def test_a_review_assigns_no_cost_to_a_choice_whose_better_alternative_can_still_be_made_later() -> None:
    weighed = weigh_waiting(GAME, 2)
    assert Fraction(weighed.cost) == 0
    assert weighed.loss is None
    assert [option.share for option in weighed.options] == ["1", "1"]


def test_a_review_assigns_the_full_cost_to_the_last_opportunity_for_a_better_choice() -> None:
    weighed = weigh_waiting(GAME, 1)
    assert Fraction(weighed.cost) == 1
    assert weighed.loss is not None
    assert weighed.loss.better == 1


def test_a_review_assigns_the_full_cost_to_every_opportunity_if_the_game_names_no_choices_that_postpone() -> None:
    rules = replace(GAME, postpones=lambda _action: False)
    assert [Fraction(weigh_waiting(rules, chances).cost) for chances in (1, 2)] == [1, 1]


@pytest.mark.parametrize(("length", "cost"), [(2, 0), (3, 1)])
def test_a_postponed_choice_is_only_made_at_a_later_menu_that_is_at_least_as_long(length: int, cost: int) -> None:
    first_menu, later_menu = (Wait(), Claim(), *[Wait()] * (length - 2)), (Wait(), Claim())
    rules = replace(GAME, legal=lambda prize, _seat: first_menu if prize.chances == 2 else later_menu)
    assert Fraction(weigh_waiting(rules, 2).cost) == cost
