"""Phase 2, bidding: F12-F15, F17-F24 and the printed examples F-G3, F-G4, F-G7."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ftk_core.facts import PUBLIC, tell
from ftk_core.game import RuleError
from ftk_core.games.for_the_king.esteem import MAX_BID
from ftk_core.games.for_the_king.facts import Bid, CardDiscarded, CoinPaid, Decree, Defaulted, Pass, Pay
from ftk_core.games.for_the_king.rules import decide, legal, turn
from ftk_core.games.for_the_king.sight import view
from ftk_core.games.for_the_king.state import next_seat
from tests.support.games.for_the_king.tables import CHANCE, GOLD, GOVERNMENT, auction, bids, kinds, menu, play

RICH = ("GOLD-3-01", "GOLD-3-02", "GOLD-2-01")


def test_the_printed_example_of_a_king_bought_with_gold() -> None:
    """F-G3: 2, then 4 by the neighbour, the others pass; she pays 2 and 3 without change and uses the King."""
    hands = {1: ("GOLD-2-01", "GOLD-3-01", GOVERNMENT)}
    table, facts = play(auction(4, "KING-P-1", hands), *bids(2, 4, None, None, None))
    assert kinds(facts)[-1] == "AuctionWon"
    assert turn(table) == (1,)
    paid = [menu(table)]
    table, _ = play(table, menu(table)[0])
    paid.append(menu(table))
    assert [len(options) for options in paid] == [1, 1], "there is exactly one way to pay 4 with 2 and 3"
    table, facts = play(table, menu(table)[0])
    assert kinds(facts) == ["CoinPaid", "FavorTaken"]
    assert turn(table) == (1,)
    table, _ = play(table, Decree(up=("military",)))
    assert table.hands[1] == (GOVERNMENT,)
    assert set(table.discards) == {"GOLD-2-01", "GOLD-3-01", "KING-P-1"}
    assert table.duties[4] == 4


def test_the_printed_example_of_gold_bought_with_cards() -> None:
    """F-G4: she bids 2 cards, you bid 3, she passes; you discard three face down, then take the gold."""
    hands = {0: ("GOV-MILITARY-A", "GOV-MILITARY-B", "GOV-MILITARY-C", "GOV-MILITARY-D")}
    table, _ = play(auction(4, GOLD, hands), *bids(1, 2, None, None, 3, None))
    assert turn(table) == (0,)
    table, facts = play(table, Pay("GOV-MILITARY-A"), Pay("GOV-MILITARY-C"), Pay("GOV-MILITARY-D"))
    assert kinds(facts) == ["CardDiscarded"] * 3 + ["FavorTaken"] + ["CouncilNamed"]
    assert table.hands[0] == ("GOV-MILITARY-B", GOLD)


def test_the_last_one_left_is_still_asked_when_nobody_has_bid() -> None:
    """F12, F-G7: he wins with any bid, or the card is discarded; the next first player is the same."""
    table, _ = play(auction(4, favor=(GOLD,), hands={3: (GOLD,)}), *bids(None, None, None))
    assert turn(table) == (3,)
    won, facts = play(table, Bid(1))
    assert kinds(facts) == ["BidMade", "AuctionWon"]
    lost, facts = play(table, Pass())
    assert kinds(facts) == ["Passed", "FavorUnsold", "FavorRevealed"]
    won, _ = play(won, menu(won)[0])
    assert (won.first, lost.first) == (1, 1)


def test_nobody_is_asked_to_raise_a_bid_of_his_own() -> None:
    """F13."""
    table, facts = play(auction(3, hands={1: RICH}), *bids(None, 2, None))
    assert kinds(facts)[-1] == "AuctionWon"
    assert table.leader == 1


def test_more_may_be_bid_than_is_there_up_to_the_cap() -> None:
    """F14."""
    table = auction(3)
    assert menu(table) == (Pass(), *(Bid(amount) for amount in range(1, MAX_BID + 1)))
    table, _ = play(table, Bid(98))
    assert menu(table) == (Pass(), Bid(99))
    table, _ = play(table, Bid(99))
    assert menu(table) == (Pass(),)


@pytest.mark.parametrize("amount", [0, 4, 5, 100, True])
def test_a_bid_that_does_not_raise_is_refused(amount: int) -> None:
    table, _ = play(auction(3), Bid(5))
    with pytest.raises(RuleError, match="may not Bid"):
        decide(table, 1, Bid(amount), CHANCE)


def test_who_can_pay_must_pay() -> None:
    """F15: there is nothing else on the menu, and no penalty."""
    table, facts = play(auction(2, hands={0: RICH}), *bids(3, None))
    assert "Defaulted" not in kinds(facts)
    assert all(isinstance(action, Pay) for action in menu(table))


def test_who_cannot_pay_loses_a_random_card_unseen_and_the_others_bid_again() -> None:
    """F17, F18."""
    table, facts = play(auction(3, hands={0: (GOLD, GOVERNMENT)}), *bids(2, None, None))
    penalty = facts[-1]
    assert isinstance(penalty, Defaulted)
    assert penalty.card in (GOLD, GOVERNMENT)
    assert tell(penalty, 1) == tell(penalty, PUBLIC) == Defaulted(0, 2, 1, None)
    assert len(table.hands[0]) == 1
    assert (table.bid, table.leader, table.passed) == (0, -1, (False,) * 3)
    assert turn(table) == (1,), "the first player is out, the next one to the left begins"
    assert menu(table)[1] == Bid(1)


def test_an_empty_hand_loses_nothing_and_is_out_all_the_same() -> None:
    """F17."""
    table, facts = play(auction(3), *bids(2, None, None))
    assert facts[-1] == Defaulted(0, 2, 0, None)
    assert table.excluded == (True, False, False)


def test_a_gold_card_is_paid_with_any_cards_and_too_few_are_a_default() -> None:
    """F15 for gold."""
    _, facts = play(auction(2, GOLD, {0: (GOVERNMENT,)}), *bids(2, None))
    assert kinds(facts)[-1] == "Defaulted"


def test_a_second_insolvent_winner_is_out_too() -> None:
    """F19."""
    table, facts = play(auction(4), *bids(2, None, None, None), *bids(3, None, None))
    assert kinds(facts).count("Defaulted") == 2
    assert table.excluded == (True, True, False, False)
    assert turn(table) == (2,)


def test_the_last_one_eligible_is_asked_and_wins_with_any_bid() -> None:
    """F20."""
    table, _ = play(auction(2, hands={1: RICH}), *bids(5, None))
    assert turn(table) == (1,)
    _, facts = play(table, Bid(1))
    assert kinds(facts) == ["BidMade", "AuctionWon"]


def test_when_nobody_is_eligible_the_card_is_discarded() -> None:
    """F21."""
    table, facts = play(auction(2), *bids(1, None), Bid(1))
    assert kinds(facts)[-3:] == ["Defaulted", "FavorUnsold", "CouncilNamed"]
    assert GOVERNMENT in table.discards


def test_an_empty_hand_is_asked_like_any_other() -> None:
    """F22."""
    table = auction(3, hands={1: RICH, 2: RICH})
    assert turn(table) == (0,)
    assert len(menu(table)) == 1 + MAX_BID


def test_after_a_default_the_next_round_begins_left_of_the_original_first_player() -> None:
    """F23."""
    start = auction(4, first=2, favor=(GOLD,))
    table, _ = play(start, *bids(1, None, None, None), *bids(None, None, None))
    assert table.first == next_seat(start, 2)


def test_what_is_paid_in_gold_is_seen_and_what_is_discarded_for_gold_is_not() -> None:
    """F24."""
    table, _ = play(auction(2, GOLD, {0: (GOVERNMENT, "GOV-MILITARY-A")}), *bids(1, None))
    table, facts = play(replace(table, favor=("GOLD-1-02",)), Pay(GOVERNMENT))
    assert facts[0] == CardDiscarded(0, GOVERNMENT)
    assert tell(facts[0], 1) == CardDiscarded(0, None)
    assert view(table, 0).lost == ((GOVERNMENT,), None)
    assert view(table, 1).lost == (None, ())
    assert GOVERNMENT not in view(table, 1).discards
    table, _ = play(auction(2, GOVERNMENT, {0: RICH}), *bids(3, None))
    table, facts = play(replace(table, favor=("GOLD-1-02",)), menu(table)[0])
    assert tell(facts[0], 1) == CoinPaid(0, 3, None)
    assert view(table, PUBLIC).discards == ("GOLD-3",)


def test_coins_of_one_value_look_alike_when_they_are_paid() -> None:
    """F16: whoever holds the 3 that all saw and another pays either, and nobody is told which."""
    hands = {0: ("GOLD-3-05", "GOLD-3-02"), 1: ()}
    table, _ = play(replace(auction(2, GOVERNMENT, hands), known=(("GOLD-3-05",), ())), *bids(3, None))
    table, (paid, *_) = play(table, Pay("GOLD-3-02"))
    assert tell(paid, PUBLIC) == tell(CoinPaid(0, 3, "GOLD-3-05"), PUBLIC)
    assert view(table, PUBLIC).known == ((GOVERNMENT,), ())


def test_a_menu_is_for_the_seat_to_act_alone() -> None:
    table = auction(3)
    assert [bool(legal(table, seat)) for seat in range(3)] == [True, False, False]


def test_a_silent_bidder_passes() -> None:
    """F33."""
    assert menu(auction(3))[0] == Pass()


def test_a_passed_seat_is_not_asked_again() -> None:
    table, _ = play(auction(3), *bids(None, 1, 2, 3))
    assert turn(table) == (2,)
