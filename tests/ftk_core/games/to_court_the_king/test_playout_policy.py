"""The playout policy: stronger than the built-in bots, and sensible where the right choice is plain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ftk_core.games.to_court_the_king.dice_probabilities import (
    CERTAIN,
    chance_of_faces,
    chance_of_pips,
    chances_of_hits,
)
from ftk_core.games.to_court_the_king.facts import (
    AcquireAction,
    ChooseEffectAction,
    RollAction,
    SetAsideAction,
    UseCharacterAction,
)
from ftk_core.games.to_court_the_king.playout_policy import quick
from ftk_core.games.to_court_the_king.rules import GAME
from ftk_core.games.to_court_the_king.table_state import TableState
from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.players import PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.referee import play
from tests.support.games.to_court_the_king.courts import build_table, list_menu

ROUNDING = 20


class PolicyPlayer(StatelessPlayer):
    """Player that follows the playout policy."""

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        draw = MatchRandomness(seed_of("policy", ask.seat, ask.id)).at("policy")
        return PlayerAnswer(quick(ask.world, ask.seat, ask.menu, draw))


def share_of_policy(seats: int, seat: int, number: int) -> float:
    """Return the share of built-in builders that finish behind the policy; luck is the same in each seat."""
    players = [PolicyPlayer("policy") if at == seat else InProcessBot(GAME.name, "builder") for at in range(seats)]
    places = play(GAME, players, seed_of("policy", seats, number)).places
    return sum(place > places[seat] for place in places) / (seats - 1)


def choose(table: TableState) -> Any:
    """Return the action that the policy chooses."""
    menu: Sequence[Any] = list_menu(table)
    return menu[quick(table, table.order[0], menu, MatchRandomness(seed_of("policy")).at("policy"))]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "matches"), [(2, 20), (4, 12)])
def test_the_playout_policy_beats_the_built_in_builder_bots_more_often_than_not(seats: int, matches: int) -> None:
    shares = [share_of_policy(seats, number % seats, number // seats) for number in range(matches)]
    assert sum(shares) / matches > 0.6


def test_the_playout_policy_sets_all_equal_dice_aside_and_rolls_the_others() -> None:
    assert choose(build_table((1, 4, 4))) == SetAsideAction((4, 4))
    assert choose(build_table((1,), (4, 4))) == RollAction()


def test_the_playout_policy_uses_the_laborer_before_it_sets_dice_aside_unless_it_collects_ones() -> None:
    assert choose(build_table((5, 5, 6), (), "LABORER")) == UseCharacterAction("LABORER")
    assert choose(build_table((1, 1, 1, 6), (), "LABORER")) == SetAsideAction((1, 1, 1))


def test_the_playout_policy_changes_dice_with_a_character_if_no_die_shows_the_collected_face() -> None:
    failed = build_table((1, 3), (5, 5, 5), "MAGICIAN", may_roll=False)
    assert choose(failed) == UseCharacterAction("MAGICIAN")
    aiming = build_table((1, 3), (5, 5, 5), "MAGICIAN", may_roll=False, used=("MAGICIAN",), using="MAGICIAN")
    assert choose(aiming) == ChooseEffectAction((1,), (5,))


def test_the_playout_policy_claims_the_king_with_seven_equal_dice() -> None:
    assert choose(build_table(result=(6,) * 7)) == AcquireAction("KING")


def test_the_computed_probabilities_of_rolls_equal_the_known_values() -> None:
    assert abs(chances_of_hits(1, 0)[1] - CERTAIN // 6) < ROUNDING
    assert chances_of_hits(2, 2)[2] > CERTAIN - ROUNDING
    assert abs(chance_of_faces(2, 2) - CERTAIN * 5 // 36) < ROUNDING  # 2/36 at once, 18/216 one by one
    assert abs(chance_of_pips(1, 6) - CERTAIN // 6) < ROUNDING
