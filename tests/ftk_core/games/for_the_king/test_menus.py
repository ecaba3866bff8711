"""The longest menu of the game is as long as its rules say, and no hand or King makes a longer one."""

from __future__ import annotations

from itertools import product

from ftk_core.games.for_the_king.box import (
    KING_TYPES,
    MOST_HELD,
    MOST_SEATS,
    MOST_TURNS,
    REMOVED,
    cards_for,
    offices_for,
)
from ftk_core.games.for_the_king.esteem import BID_MENUS
from ftk_core.games.for_the_king.kings import HIGHEST, LOWEST, decrees
from ftk_core.games.for_the_king.rules import GAME


def test_the_longest_menu_is_to_pass_or_to_open_the_bidding() -> None:
    assert max(map(len, BID_MENUS)) == GAME.longest_menu


def test_a_turn_lays_out_one_card_more_than_there_are_seats() -> None:
    turns = {seats: (len(cards_for(seats)) - REMOVED[seats]) / (seats + 1) for seats in GAME.seats}
    assert all(number == int(number) for number in turns.values())
    assert max(turns.values()) == MOST_TURNS


def test_no_hand_and_no_middle_has_as_many_cards_as_the_longest_menu_items() -> None:
    assert GAME.longest_menu >= MOST_HELD
    assert GAME.longest_menu >= MOST_SEATS - 1


def test_no_king_can_decree_as_much_as_the_longest_menu_has() -> None:
    tiles = product((LOWEST, LOWEST + 1, HIGHEST), repeat=len(offices_for(MOST_SEATS)))
    assert max(len(decrees(king, duties)) for duties in tiles for king in KING_TYPES) <= GAME.longest_menu
