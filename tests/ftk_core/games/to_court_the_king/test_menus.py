"""The longest menu is as long as the rules say; no dice make a longer one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product
from math import prod

import pytest
from msgspec.structs import replace

from ftk_core.game import NoGameOptions
from ftk_core.games.to_court_the_king.characters import ADDED_DIE_VALUES, CHARACTERS, CHARLATAN, DICE, FOOL, QUEEN
from ftk_core.games.to_court_the_king.dice_effects import HAS_EFFECT, PIPS, list_effects, list_set_asides
from ftk_core.games.to_court_the_king.legal_actions import CHARACTERS_WITH_TARGET, LONGEST_MENU, legal
from ftk_core.games.to_court_the_king.rules import GAME
from ftk_core.games.to_court_the_king.table_state import new_table, step

PAIRS = tuple(sorted(2 * [*PIPS]))
"""Twelve dice, each face twice."""


def ways(active: tuple[int, ...]) -> int:
    """Return the number of ways to set aside at least one of some dice."""
    return prod(count + 1 for count in Counter(active).values()) - 1


def test_the_number_of_offered_ways_to_set_dice_aside_equals_the_number_of_combinations() -> None:
    for active in ((1,), (1, 1, 2), (1, 2, 3, 4, 5, 6, 6), PAIRS):
        assert len(list_set_asides(active)) == ways(active)


def test_no_roll_has_more_ways_to_set_dice_aside_than_the_declared_maximum_menu_length() -> None:
    roll = 1
    for dice in range(1, DICE + 1):
        most = max(ways(active) for active in combinations_with_replacement(PIPS, dice))
        more = len(ADDED_DIE_VALUES) + len({QUEEN}) if dice < DICE else 0  # another die can still be added
        assert most + len(CHARACTERS_WITH_TARGET) + more + roll <= LONGEST_MENU
    assert ways(PAIRS) + len(CHARACTERS_WITH_TARGET) + roll == LONGEST_MENU == GAME.longest_menu


@pytest.mark.slow
def test_no_character_offers_more_choices_than_the_declared_maximum_menu_length() -> None:
    assert max(ways(active) for active in combinations_with_replacement(PIPS, DICE)) <= LONGEST_MENU  # the Merchant
    moved = [
        tuple(face for face, count in zip(PIPS, counts, strict=True) for _ in range(count))
        for counts in product(range(4), repeat=6)
    ]
    for active in moved:  # an effect concerns at most three dice of each face
        for card in ("PHILOSOPHER", "ALCHEMIST", "SERVING_MAID", "ASTRONOMER", "MAGICIAN"):
            assert len(list_effects(card, active, tuple(PIPS))) <= LONGEST_MENU
    for raised, card in ((1, "NOBLEWOMAN"), (2, "NOBLEMAN")):
        eligible = tuple(face for face in PIPS if face + raised <= 6)
        assert max(ways(active) for active in combinations_with_replacement(eligible, DICE)) <= LONGEST_MENU, card


def test_no_player_has_more_characters_to_choose_from_than_the_declared_maximum_menu_length() -> None:
    table = replace(new_table(2, NoGameOptions()), order=(0,), result=PAIRS)
    assert step(table) == "acquire"
    assert len(legal(table, 0)) <= 1 + len(CHARACTERS) + len({FOOL, CHARLATAN}) <= LONGEST_MENU


def test_a_character_is_offered_only_while_it_has_a_use() -> None:
    few = [dice for number in range(4) for dice in combinations_with_replacement(PIPS, number)]
    for card, active, aside in product(CHARACTERS_WITH_TARGET, few, few):
        assert bool(active and HAS_EFFECT[card](active, aside)) == bool(list_effects(card, active, aside))
