"""The cards (T-G10) and their costs (T-G1, T-G9), against an independent count."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from ftk_core.games.to_court_the_king.characters import COSTS, affordable, best_set, display_for


@pytest.mark.parametrize(("seats", "cards"), [(2, 23), (3, 34), (4, 42), (5, 55)])
def test_the_number_of_cards_on_display_follows_the_rules_for_each_number_of_players(seats: int, cards: int) -> None:
    """T-G10: the Queen, which lies with the King, is one more card."""
    assert sum(left for _, left in display_for(seats)) + 1 == cards


def test_a_two_player_game_has_two_copies_of_each_first_row_character_and_one_of_every_other() -> None:
    assert dict(display_for(2)) == {name: 2 if number < 5 else 1 for number, name in enumerate(COSTS)}


@pytest.mark.parametrize(
    ("faces", "yes", "no"),
    [
        ((5, 5, 5), "FARMER SERVING_MAID LABORER GUARD", "PHILOSOPHER HUNTER MERCHANT"),
        ((3,) * 5, "NOBLEWOMAN KNIGHT HUNTER GUARD SERVING_MAID LABORER ASTRONOMER", "GENERAL BISHOP"),
        ((2, 2, 2, 3, 3), "NOBLEWOMAN GUARD ASTRONOMER", "NOBLEMAN KNIGHT"),
        ((4, 4, 4, 4, 2, 2), "BISHOP ASTRONOMER NOBLEWOMAN PHILOSOPHER", "NOBLEMAN KNIGHT"),
        ((1, 1, 1, 2, 2, 2), "NOBLEMAN NOBLEWOMAN", "BISHOP HUNTER"),
        ((6,) * 6, "NOBLEMAN BISHOP GENERAL PAWN_BROKER", "KING"),
        ((1, 2, 3, 4, 6), "LABORER", "MAGICIAN ALCHEMIST"),
        ((2, 3, 4, 5, 6), "MAGICIAN MERCHANT", "ALCHEMIST"),
        ((6, 6, 3), "LABORER FARMER", "MERCHANT GUARD"),
        ((4, 2, 2, 2, 2), "FARMER PHILOSOPHER GUARD HUNTER ASTRONOMER", "NOBLEWOMAN LABORER"),
        ((7 - 5,) * 7, "KING GENERAL", "ALCHEMIST"),
    ],
)
def test_a_roll_can_acquire_exactly_the_characters_that_the_rules_list_for_it(
    faces: tuple[int, ...], yes: str, no: str
) -> None:
    """T-G1, T-G2, T-G9."""
    met = affordable(tuple(sorted(faces)))
    assert set(yes.split()) <= met
    assert not set(no.split()) & met


def longest_run(sides: set[int]) -> int:
    """Return the length of the longest run of consecutive values."""
    return max((b - a + 1 for a in sides for b in sides if a <= b and set(range(a, b + 1)) <= sides), default=0)


def oracle(faces: tuple[int, ...]) -> set[str]:
    """Return the characters that a result pays for, computed die by die without the engine's predicates."""
    piles = [[die for die in faces if die == side] for side in range(1, 7)]
    sizes = sorted(map(len, piles))
    pairs = sum(size >= 2 for size in sizes) + sum(size >= 4 for size in sizes) + sum(size >= 6 for size in sizes)
    triples = sum(size >= 3 for size in sizes) + sum(size >= 6 for size in sizes)
    run = longest_run(set(faces))
    met = {
        "FARMER": sizes[-1] > 1,
        "GUARD": sizes[-1] > 2,
        "HUNTER": sizes[-1] > 3,
        "KNIGHT": sizes[-1] > 4,
        "GENERAL": sizes[-1] > 5,
        "KING": sizes[-1] > 6,
        "SERVING_MAID": [die for die in faces if die in (2, 4, 6)] == [],
        "PHILOSOPHER": [die for die in faces if die in (1, 3, 5)] == [],
        "LABORER": sum(faces) > 14,
        "MERCHANT": sum(faces) > 19,
        "PAWN_BROKER": sum(faces) > 29,
        "ASTRONOMER": pairs >= 2,
        "BISHOP": pairs >= 3,
        "NOBLEMAN": triples >= 2,
        "NOBLEWOMAN": sizes[-1] > 4 or (sizes[-1] > 2 and sizes[-2] > 1),
        "MAGICIAN": run > 4,
        "ALCHEMIST": run > 5,
    }
    return {name for name, is_met in met.items() if is_met}


def test_rolls_of_up_to_seven_dice_buy_the_same_characters_as_in_an_independent_implementation() -> None:
    for dice in range(1, 8):
        for faces in combinations_with_replacement(range(1, 7), dice):
            assert affordable(faces) == oracle(faces), faces


def test_the_best_set_of_equal_dice_is_the_largest_and_then_the_highest() -> None:
    """T22."""
    assert best_set((1, 1, 1, 6, 6)) == (3, 1)
    assert best_set((2, 2, 5, 5, 6)) == (2, 5)
    assert best_set((1,) * 8) > best_set((6,) * 7)
