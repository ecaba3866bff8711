"""Phase 2, bidding: F12-F15, F17-F24 and the printed examples F-G3, F-G4, F-G7."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.facts import PUBLIC, redact
from ftk_core.game import IllegalChoiceError
from ftk_core.games.for_the_king.facts import (
    BidAction,
    BidderDefaulted,
    CardDiscarded,
    DecreeAction,
    GoldCardPaid,
    LeaveAuctionAction,
    PayAction,
)
from ftk_core.games.for_the_king.phase2_esteem import MAX_BID
from ftk_core.games.for_the_king.player_view import view
from ftk_core.games.for_the_king.rules import decide, legal, turn
from tests.support.games.for_the_king.tables import (
    CHANCE,
    GOLD,
    GOVERNMENT,
    build_auction,
    build_bids,
    list_fact_names,
    list_menu,
    play,
)

RICH = ("GOLD-3-01", "GOLD-3-02", "GOLD-2-01")


def test_replaying_the_rulebook_example_of_paying_for_a_king_card_gives_the_printed_result() -> None:
    """F-G3: bids of 2 and 4, then passes. The winner pays with cards of 2 and 3, without change, and uses the King."""
    hands = {1: ("GOLD-2-01", "GOLD-3-01", GOVERNMENT)}
    table, facts = play(build_auction(4, "KING-P-1", hands), *build_bids(2, 4, None, None, None))
    assert list_fact_names(facts)[-1] == "AuctionWon"
    assert turn(table) == (1,)
    paid = [list_menu(table)]
    table, _ = play(table, list_menu(table)[0])
    paid.append(list_menu(table))
    assert [len(options) for options in paid] == [1, 1], "there is exactly one way to pay 4 with 2 and 3"
    table, facts = play(table, list_menu(table)[0])
    assert list_fact_names(facts) == ["GoldCardPaid", "FavorCardTaken"]
    assert turn(table) == (1,)
    table, _ = play(table, DecreeAction(up=("military",)))
    assert table.hands[1] == (GOVERNMENT,)
    assert set(table.discards) == {"GOLD-2-01", "GOLD-3-01", "KING-P-1"}
    assert table.duties[4] == 4


def test_replaying_the_rulebook_example_of_paying_for_gold_with_cards_gives_the_printed_result() -> None:
    """F-G4: the last bids are 2 and 3 cards. The winner discards three cards face down and takes the gold."""
    hands = {0: ("GOV-MILITARY-A", "GOV-MILITARY-B", "GOV-MILITARY-C", "GOV-MILITARY-D")}
    table, _ = play(build_auction(4, GOLD, hands), *build_bids(1, 2, None, None, 3, None))
    assert turn(table) == (0,)
    table, facts = play(table, PayAction("GOV-MILITARY-A"), PayAction("GOV-MILITARY-C"), PayAction("GOV-MILITARY-D"))
    assert list_fact_names(facts) == ["CardDiscarded"] * 3 + ["FavorCardTaken"] + ["DutiesAwarded"]
    assert table.hands[0] == ("GOV-MILITARY-B", GOLD)


def test_the_last_player_is_asked_to_bid_when_all_others_passed() -> None:
    """F12, F-G7: any bid wins; without one the card is discarded. Both times seat 1 is first in the next auction."""
    table, _ = play(build_auction(4, favor=(GOLD,), hands={3: (GOLD,)}), *build_bids(None, None, None))
    assert turn(table) == (3,)
    won, facts = play(table, BidAction(1))
    assert list_fact_names(facts) == ["BidMade", "AuctionWon"]
    lost, facts = play(table, LeaveAuctionAction())
    assert list_fact_names(facts) == ["BidderPassed", "FavorCardUnsold", "FavorCardRevealed"]
    won, _ = play(won, list_menu(won)[0])
    assert (won.first, lost.first) == (1, 1)


def test_the_highest_bidder_is_not_asked_to_raise_their_own_bid() -> None:
    """F13."""
    table, facts = play(build_auction(3, hands={1: RICH}), *build_bids(None, 2, None))
    assert list_fact_names(facts)[-1] == "AuctionWon"
    assert table.leader == 1


def test_a_bid_may_exceed_the_gold_in_play_up_to_the_maximum_bid() -> None:
    """F14."""
    table = build_auction(3)
    assert list_menu(table) == (LeaveAuctionAction(), *(BidAction(amount) for amount in range(1, MAX_BID + 1)))
    table, _ = play(table, BidAction(98))
    assert list_menu(table) == (LeaveAuctionAction(), BidAction(99))
    table, _ = play(table, BidAction(99))
    assert list_menu(table) == (LeaveAuctionAction(),)


@pytest.mark.parametrize("amount", [0, 4, 5, 100, True])
def test_a_bid_that_is_not_between_the_previous_bid_and_the_maximum_is_refused(amount: int) -> None:
    table, _ = play(build_auction(3), BidAction(5))
    with pytest.raises(IllegalChoiceError, match="may not Bid"):
        decide(table, 1, BidAction(amount), CHANCE)


def test_an_auction_winner_who_can_pay_must_pay() -> None:
    """F15: the menu contains only payments, and there is no penalty."""
    table, facts = play(build_auction(2, hands={0: RICH}), *build_bids(3, None))
    assert "BidderDefaulted" not in list_fact_names(facts)
    assert {type(action) for action in list_menu(table)} == {PayAction}


def test_an_auction_winner_who_cannot_pay_loses_a_random_hidden_card_and_all_others_bid_again() -> None:
    """F17, F18."""
    hands, bids = {0: (GOLD, GOVERNMENT)}, build_bids(2, None, None)
    table, facts = play(build_auction(3, hands=hands), *bids)
    penalty = facts[-1]
    assert isinstance(penalty, BidderDefaulted)
    assert redact(penalty, 1) == redact(penalty, PUBLIC) == BidderDefaulted(0, 2, 1, None)
    assert {*table.hands[0], penalty.card} == {GOLD, GOVERNMENT}
    left = {play(build_auction(3, hands=hands, lots=lot), *bids)[0].hands[0] for lot in range(1, 13)}
    assert left == {(GOLD,), (GOVERNMENT,)}, "either card may be drawn"
    assert (table.bid, table.leader, table.passed) == (0, -1, (False,) * 3)
    assert turn(table) == (1,), "the first player is out, the next one to the left begins"
    assert list_menu(table)[1] == BidAction(1)


def test_an_auction_winner_without_any_cards_to_pay_is_excluded_and_loses_no_card() -> None:
    """F17."""
    table, facts = play(build_auction(3), *build_bids(2, None, None))
    assert facts[-1] == BidderDefaulted(0, 2, 0, None)
    assert table.excluded == (True, False, False)


def test_the_winning_bid_for_gold_fails_if_the_bidder_has_too_few_cards_to_pay() -> None:
    """F15, for an auction of gold."""
    _, facts = play(build_auction(2, GOLD, {0: ("GOLD-3-01",)}), *build_bids(2, None))
    assert list_fact_names(facts)[-1] == "BidderDefaulted"


def test_the_second_auction_winner_who_cannot_pay_is_also_excluded_from_the_auction() -> None:
    """F19."""
    table, facts = play(build_auction(4), *build_bids(2, None, None, None), *build_bids(3, None, None))
    assert list_fact_names(facts).count("BidderDefaulted") == 2
    assert table.excluded == (True, True, False, False)
    assert turn(table) == (2,)


def test_the_only_player_left_in_an_auction_may_still_bid_and_wins_with_the_lowest_bid() -> None:
    """F20."""
    table, _ = play(build_auction(2, hands={1: RICH}), *build_bids(5, None))
    assert turn(table) == (1,)
    _, facts = play(table, BidAction(1))
    assert list_fact_names(facts) == ["BidMade", "AuctionWon"]


def test_the_auctioned_card_is_discarded_when_no_player_is_left_in_the_auction() -> None:
    """F21."""
    table, facts = play(build_auction(2), *build_bids(1, None), BidAction(1))
    assert list_fact_names(facts)[-3:] == ["BidderDefaulted", "FavorCardUnsold", "DutiesAwarded"]
    assert GOVERNMENT in table.discards


def test_a_player_with_an_empty_hand_is_asked_to_bid_with_the_full_range_of_bids() -> None:
    """F22."""
    table = build_auction(3, hands={1: RICH, 2: RICH})
    assert turn(table) == (0,)
    assert len(list_menu(table)) == 1 + MAX_BID


def test_bidding_restarts_at_the_first_bidder_still_in_the_auction_if_the_winner_cannot_pay() -> None:
    """F18, F23: the left neighbour of the first bidder opens the next auction, as always."""
    start = build_auction(4, first=2, favor=(GOLD,))
    for bids, restart in (((1, None, None, None), 3), ((None, 1, None, None), 2)):
        table, _ = play(start, *build_bids(*bids))
        assert turn(table) == (restart,)
        table, _ = play(table, *build_bids(None, None, None))
        assert (table.first, turn(table)) == (3, (3,))


def test_gold_payments_are_public_and_cards_discarded_for_gold_are_secret() -> None:
    """F24."""
    table, _ = play(build_auction(2, GOLD, {0: (GOVERNMENT, "GOV-MILITARY-A")}), *build_bids(1, None))
    table, facts = play(replace(table, favor=("GOLD-1-02",)), PayAction(GOVERNMENT))
    assert facts[0] == CardDiscarded(0, GOVERNMENT)
    assert redact(facts[0], 1) == CardDiscarded(0, None)
    assert view(table, 0).lost == ((GOVERNMENT,), None)
    assert view(table, 1).lost == (None, ())
    assert GOVERNMENT not in view(table, 1).discards
    table, _ = play(build_auction(2, GOVERNMENT, {0: RICH}), *build_bids(3, None))
    table, facts = play(replace(table, favor=("GOLD-1-02",)), list_menu(table)[0])
    assert redact(facts[0], 1) == GoldCardPaid(0, 3, None)
    assert view(table, PUBLIC).discards == ("GOLD-3",)


def test_the_public_does_not_see_which_of_two_gold_cards_of_equal_value_was_paid() -> None:
    """F16: a player holds two gold cards of value 3, of which the public knows one, and pays with one of them."""
    hands = {0: ("GOLD-3-05", "GOLD-3-02"), 1: ()}
    table, _ = play(replace(build_auction(2, GOVERNMENT, hands), known=(("GOLD-3-05",), ())), *build_bids(3, None))
    table, (paid, *_) = play(table, PayAction("GOLD-3-02"))
    assert redact(paid, PUBLIC) == redact(GoldCardPaid(0, 3, "GOLD-3-05"), PUBLIC)
    assert view(table, PUBLIC).known == ((GOVERNMENT,), ())


def test_only_the_player_whose_turn_it_is_to_bid_may_act() -> None:
    table = build_auction(3)
    assert [bool(legal(table, seat)) for seat in range(3)] == [True, False, False]
    with pytest.raises(IllegalChoiceError, match="seat 1 may not"):
        decide(table, 1, LeaveAuctionAction(), CHANCE)


def test_a_bidder_who_does_not_answer_passes() -> None:
    """F33."""
    assert list_menu(build_auction(3))[0] == LeaveAuctionAction()


def test_a_player_who_passed_is_not_asked_to_bid_again() -> None:
    table, _ = play(build_auction(3), *build_bids(None, 1, 2, 3))
    assert turn(table) == (2,)
