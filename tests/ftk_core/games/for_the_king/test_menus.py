"""The longest menu is as long as the rules say; no hand and no King makes a longer one."""

from __future__ import annotations

from itertools import product

from ftk_core.games.for_the_king.cards import (
    KING_TYPES,
    MAX_HAND_CARDS,
    MAX_SEATS,
    MAX_TURNS,
    REMOVED_CARD_COUNTS,
    cards_for,
    offices_for,
)
from ftk_core.games.for_the_king.king_cards import MAX_DUTY, MIN_DUTY, list_decrees
from ftk_core.games.for_the_king.phase2_esteem import BID_MENUS
from ftk_core.games.for_the_king.rules import GAME


def test_the_menu_of_possible_opening_bids_has_the_declared_maximum_menu_length() -> None:
    assert max(map(len, BID_MENUS)) == GAME.longest_menu


def test_the_deck_is_an_exact_multiple_of_the_cards_used_in_each_influence_turn() -> None:
    turns = {seats: (len(cards_for(seats)) - REMOVED_CARD_COUNTS[seats]) / (seats + 1) for seats in GAME.seats}
    assert all(number == int(number) for number in turns.values())
    assert max(turns.values()) == MAX_TURNS


def test_the_declared_maximum_menu_length_covers_the_largest_hand_and_middle_area() -> None:
    assert GAME.longest_menu >= MAX_HAND_CARDS
    assert GAME.longest_menu >= MAX_SEATS - 1


def test_no_king_card_offers_more_choices_than_the_declared_maximum_menu_length() -> None:
    tiles = product((MIN_DUTY, MIN_DUTY + 1, MAX_DUTY), repeat=len(offices_for(MAX_SEATS)))
    assert max(len(list_decrees(king, duties)) for duties in tiles for king in KING_TYPES) <= GAME.longest_menu
