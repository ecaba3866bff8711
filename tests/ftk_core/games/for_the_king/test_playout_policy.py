"""The playout policy: stronger than the built-in bots, and sensible where the right choice is plain."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.facts import Action, encode
from ftk_core.games.for_the_king.facts import BidAction, DecreeAction, LeaveAuctionAction, PayAction, TakeAction
from ftk_core.games.for_the_king.playout_policy import quick
from ftk_core.games.for_the_king.rules import GAME
from ftk_core.games.for_the_king.table_state import TableState
from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.native.native_match import NativeMatch
from ftk_core.players import PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.referee import play
from tests.support.games.for_the_king.tables import build_auction, deal_table, list_menu
from tests.support.native_library import can_build, enable_native_rules

STRONG, WEAK = ("GOV-DIPLOMACY-H", "GOV-DIPLOMACY-I"), "GOV-MILITARY-A"
"""Cards of the seat that chooses."""
RIVAL = tuple(f"GOV-MILITARY-{letter}" for letter in "BDEFGHI")
"""Cards of an opponent that leads where the seat holds one weak card."""
LEVEL, LEVEL_RIVAL = tuple(f"GOV-MILITARY-{letter}" for letter in "ACDEF"), ("GOV-MILITARY-H", "GOV-MILITARY-I")
"""Cards in a close contest."""


class PolicyPlayer(StatelessPlayer):
    """Player that follows the playout policy."""

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        draw = MatchRandomness(seed_of("policy", ask.seat, ask.id)).at("policy")
        return PlayerAnswer(quick(ask.world, ask.seat, ask.menu, draw))


def share_of_policy(seats: int, seat: int, number: int) -> float:
    """Return the share of built-in counters that finish behind the policy; luck is the same in each seat."""
    players = [PolicyPlayer("policy") if at == seat else InProcessBot(GAME.name, "counter") for at in range(seats)]
    places = play(GAME, players, seed_of("policy", seats, number)).places
    return sum(place > places[seat] for place in places) / (seats - 1)


def choices_of(table: TableState) -> set[Action]:
    """Return all actions that the policy chooses for seat 0 with different draws."""
    menu = list_menu(table)
    draws = [MatchRandomness(seed_of("policy", number)).at("policy") for number in range(20)]
    return {menu[quick(table, 0, menu, draw)] for draw in draws}


def with_rival(table: TableState, cards: tuple[str, ...] = RIVAL) -> TableState:
    """Let seat 1 hold its cards in view of all."""
    return replace(table, hands=(table.hands[0], cards), known=((), cards))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "matches"), [(2, 12), (3, 6), (4, 8), (5, 5)])
def test_the_playout_policy_beats_the_strongest_built_in_bots_more_often_than_not(seats: int, matches: int) -> None:
    shares = [share_of_policy(seats, number % seats, number // seats) for number in range(matches)]
    assert sum(shares) / matches > 0.5


def test_the_playout_policy_opens_with_the_lowest_bid_that_its_gold_cards_pay_exactly() -> None:
    table = build_auction(2, "GOV-MILITARY-G", {0: (*LEVEL, "GOLD-3-01", "GOLD-3-02")})
    assert choices_of(with_rival(table, LEVEL_RIVAL)) == {BidAction(3)}


def test_the_playout_policy_passes_in_an_auction_that_it_cannot_pay_for() -> None:
    assert choices_of(build_auction(2, "GOV-DIPLOMACY-G", {0: STRONG})) == {LeaveAuctionAction()}


def test_the_playout_policy_spends_no_gold_on_a_card_of_an_office_that_it_cannot_win() -> None:
    table = build_auction(2, "GOV-MILITARY-C", {0: ("GOLD-1-01",)}, favor=("GOLD-1-02",) * 9)
    assert choices_of(with_rival(table)) == {LeaveAuctionAction()}


def test_the_playout_policy_pays_for_gold_with_its_least_valuable_card() -> None:
    table = build_auction(2, "GOLD-3-01", {0: (*STRONG, WEAK)}, bid=1, leader=0, paying=True)
    assert choices_of(with_rival(table)) == {PayAction(WEAK)}


def test_the_playout_policy_raises_and_never_lowers_the_duty_of_an_office_in_which_it_leads() -> None:
    table = with_rival(build_auction(2, "KING-P-1", {0: (*STRONG, WEAK)}))
    assert choices_of(replace(table, king="KING-P-1")) == {DecreeAction(up=("diplomacy",))}
    assert DecreeAction(down=("diplomacy",)) not in choices_of(replace(table, king="KING-M-1"))


def test_the_playout_policy_chooses_at_random_between_cards_of_equal_value() -> None:
    table = replace(deal_table(3), drawn=None, kept=True, stashed=True, shown=2, adviser=2)
    cards = ("GOV-LIVESTOCK-B", "GOV-MILITARY-B")
    assert choices_of(replace(table, middle=cards)) == {TakeAction(card) for card in cards}


@pytest.mark.skipif(not can_build(), reason="no C++ compiler")
def test_a_search_for_the_best_action_tries_no_bid_that_the_player_cannot_pay() -> None:
    with enable_native_rules():
        native = NativeMatch(GAME.name, 2)
        native.set_state(encode(build_auction(2, hands={0: ("GOLD-3-01", "GOLD-1-01")})))
        _, items = native.search(0, 5000, seed=1)
    assert [item for item, (_, playouts) in enumerate(items) if playouts] == [0, 1, 2, 3, 4]
