"""Invariants of every state of a match, for any choices."""

from __future__ import annotations

from collections import Counter

import pytest

from ftk_core.games.for_the_king.cards import cards_for, offices_for, secondary_duty
from ftk_core.games.for_the_king.facts import DeckPassed, FavorCardRevealed
from ftk_core.games.for_the_king.player_view import view
from ftk_core.games.for_the_king.table_scene import face_up
from ftk_core.games.for_the_king.table_state import TableState, gold_in
from tests.support.laws.tables import RandomMatch, play_random_matches

SEATS = pytest.mark.parametrize("seats", [2, 3, 4, 5])
LARGEST_PAYMENT = {2: 54, 3: 60, 4: 66, 5: 78}


def tables(match: RandomMatch) -> list[TableState]:
    """Return the states after the deal."""
    return match.states[1:]


@SEATS
def test_primary_tiles_stay_between_1_and_6_and_secondary_tiles_are_derived_from_them(seats: int) -> None:
    for match in play_random_matches("for_the_king", seats):
        for table in tables(match):
            assert len(table.duties) == len(offices_for(seats))
            assert all(1 <= value <= 6 for value in table.duties)
            board = view(table, 0).duties
            assert [duty.secondary for duty in board] == [secondary_duty(duty.primary, seats) for duty in board]


@SEATS
def test_each_match_reveals_one_favor_deck_card_for_every_turn_of_an_adviser(seats: int) -> None:
    for match in play_random_matches("for_the_king", seats):
        turns = sum(isinstance(fact, DeckPassed) for fact in match.facts)
        assert turns == sum(isinstance(fact, FavorCardRevealed) for fact in match.facts)


@SEATS
def test_no_possible_payment_reaches_the_maximum_bid(seats: int) -> None:
    """F14: the value of all gold cards, and the number of cards in a hand, stay below 99."""
    assert gold_in(cards_for(seats)) == LARGEST_PAYMENT[seats]
    for match in play_random_matches("for_the_king", seats):
        assert max(len(hand) for table in tables(match) for hand in table.hands) < 60


@SEATS
def test_every_card_publicly_known_to_be_in_a_hand_is_in_that_hand_or_was_lost_face_down(seats: int) -> None:
    """Gold cards of one value are interchangeable."""
    for match in play_random_matches("for_the_king", seats):
        for table in tables(match):
            for seat in range(seats):
                held = Counter(face_up(card).face for card in (*table.hands[seat], *table.lost[seat]))
                assert Counter(face_up(card).face for card in table.known[seat]) <= held
