"""What holds at every moment of a match, whatever is played."""

from __future__ import annotations

from collections import Counter

import pytest

from ftk_core.games.for_the_king.box import cards_for, offices_for, secondary
from ftk_core.games.for_the_king.facts import DeckPassed, FavorRevealed
from ftk_core.games.for_the_king.picture import face_up
from ftk_core.games.for_the_king.sight import view
from ftk_core.games.for_the_king.state import Table, gold_in
from tests.support.games.for_the_king.laws import census
from tests.support.laws.tables import Story, told

SEATS = pytest.mark.parametrize("seats", [2, 3, 4, 5])
LARGEST_PAYMENT = {2: 54, 3: 60, 4: 66, 5: 78}


def tables(match: Story) -> list[Table]:
    """Return the states behind the deal."""
    return match.states[1:]


@SEATS
def test_every_card_of_the_box_is_in_one_place(seats: int) -> None:
    for match in told("for_the_king", seats):
        for table in tables(match):
            assert sorted(census(table)) == sorted(cards_for(seats))


@SEATS
def test_duties_stay_between_1_and_6_and_secondaries_follow(seats: int) -> None:
    for match in told("for_the_king", seats):
        for table in tables(match):
            assert len(table.duties) == len(offices_for(seats))
            assert all(1 <= value <= 6 for value in table.duties)
            board = view(table, 0).duties
            assert [duty.secondary for duty in board] == [secondary(duty.primary, seats) for duty in board]


@SEATS
def test_there_are_as_many_favor_cards_as_turns_of_an_adviser(seats: int) -> None:
    for match in told("for_the_king", seats):
        turns = sum(isinstance(fact, DeckPassed) for fact in match.facts)
        assert turns == sum(isinstance(fact, FavorRevealed) for fact in match.facts)


@SEATS
def test_no_payment_can_reach_the_cap_of_bids(seats: int) -> None:
    """F14: what all the gold in the box is worth, and the most cards a hand can hold, stay below 99."""
    assert gold_in(cards_for(seats)) == LARGEST_PAYMENT[seats]
    for match in told("for_the_king", seats):
        assert max(len(hand) for table in tables(match) for hand in table.hands) < 60


@SEATS
def test_known_cards_were_all_seen_going_in(seats: int) -> None:
    """What all know of a hand is in it, or left it face down; coins of one value are the same."""
    for match in told("for_the_king", seats):
        for table in tables(match):
            for seat in range(seats):
                held = Counter(face_up(card).face for card in (*table.hands[seat], *table.lost[seat]))
                assert Counter(face_up(card).face for card in table.known[seat]) <= held
