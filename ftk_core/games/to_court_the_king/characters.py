"""Character cards: the dice that they cost, and their numbers of copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Annotated

import msgspec

from ftk_core.field_bounds import bag, number, one_of, seat_of

Faces = tuple[int, ...]
"""Faces of dice, in ascending order."""
DICE = 12
"""Number of dice in the box (T3)."""
START_DICE = 3
MAX_ROUNDS = 100
"""If nobody has claimed the King after this many rounds, the final round is played without King and Queen (T23)."""
COPIES = {
    "I": {2: 2, 3: 2, 4: 3, 5: 4},
    "II": {2: 1, 3: 2, 4: 3, 5: 3},
    "III": {2: 1, 3: 2, 4: 2, 5: 3},
    "IV": {2: 1, 3: 2, 4: 2, 5: 3},
    "V": {2: 1, 3: 1, 4: 1, 5: 1},
}
"""Row of the cards on offer -> number of players -> copies of each character in the row. Fools are unlimited."""


class CharacterCard(msgspec.Struct, frozen=True, kw_only=True):
    """Character card that a dice result can pay for."""

    name: str
    row: str
    cost: str
    """Required dice result, in words."""
    adds: int = 0
    """Face of the die that the character adds to the active dice; 0 if it adds none."""
    start_dice: int = 0
    """Number of dice that the owner rolls in addition at the beginning of each turn."""


CHARACTERS: dict[str, CharacterCard] = {
    c.name: c
    for c in (
        CharacterCard(name="FARMER", row="I", cost="a pair", start_dice=1),
        CharacterCard(name="SERVING_MAID", row="I", cost="all dice odd"),
        CharacterCard(name="PHILOSOPHER", row="I", cost="all dice even"),
        CharacterCard(name="LABORER", row="I", cost="15 pips", adds=1),
        CharacterCard(name="GUARD", row="I", cost="three of a kind", adds=2),
        CharacterCard(name="HUNTER", row="II", cost="four of a kind", adds=3),
        CharacterCard(name="ASTRONOMER", row="II", cost="two pairs"),
        CharacterCard(name="MERCHANT", row="II", cost="20 pips"),
        CharacterCard(name="NOBLEWOMAN", row="III", cost="full house"),
        CharacterCard(name="PAWN_BROKER", row="III", cost="30 pips", adds=4),
        CharacterCard(name="KNIGHT", row="III", cost="five of a kind", adds=5),
        CharacterCard(name="MAGICIAN", row="III", cost="straight of five"),
        CharacterCard(name="ALCHEMIST", row="IV", cost="straight of six"),
        CharacterCard(name="BISHOP", row="IV", cost="three pairs", adds=6),
        CharacterCard(name="NOBLEMAN", row="IV", cost="two triplets"),
        CharacterCard(name="GENERAL", row="IV", cost="six of a kind", start_dice=2),
        CharacterCard(name="KING", row="V", cost="seven of a kind"),
    )
}
"""Characters that are acquired from the display, by name. Fool, Charlatan and Queen are acquired in other ways."""
FOOL, CHARLATAN, KING, QUEEN = "FOOL", "CHARLATAN", "KING", "QUEEN"
MAX_SEATS = 5
SeatNumber = Annotated[int, seat_of(MAX_SEATS)]
Name = Annotated[str, one_of(*CHARACTERS, FOOL, CHARLATAN, QUEEN)]
Face = Annotated[int, one_of(1, 2, 3, 4, 5, 6)]
Dice = Annotated[tuple[Face, ...], bag(DICE)]
BestSet = tuple[Annotated[int, number(0, DICE)], Annotated[int, number(0, 6)]]
"""(number of dice, face) of a set of equal dice."""
ADDED_DIE_VALUES = {name: c.adds for name, c in CHARACTERS.items() if c.adds}


@cache
def display_for(seats: int) -> tuple[tuple[str, int], ...]:
    """Return the character cards on offer for this number of players, as (character, number of copies) pairs."""
    return tuple((name, COPIES[c.row][seats]) for name, c in CHARACTERS.items())


def _of_a_kind(number: int) -> Callable[[Faces], bool]:
    return lambda faces: max(Counter(faces).values(), default=0) >= number


def _groups(number: int, size: int) -> Callable[[Faces], bool]:
    """Return a function that tests if dice contain `number` groups of `size` equal dice, such as two pairs."""
    # Four equal dice also count as two pairs.
    return lambda faces: sum(count // size for count in Counter(faces).values()) >= number


def _full_house(faces: Faces) -> bool:
    counts = sorted(Counter(faces).values(), reverse=True)
    return counts[:1] >= [5] or (len(counts) > 1 and counts[0] >= 3 and counts[1] >= 2)


COSTS: dict[str, Callable[[Faces], bool]] = {
    "FARMER": _of_a_kind(2),
    "SERVING_MAID": lambda faces: all(face % 2 for face in faces),
    "PHILOSOPHER": lambda faces: not any(face % 2 for face in faces),
    "LABORER": lambda faces: sum(faces) >= 15,
    "GUARD": _of_a_kind(3),
    "HUNTER": _of_a_kind(4),
    "ASTRONOMER": _groups(2, 2),
    "MERCHANT": lambda faces: sum(faces) >= 20,
    "NOBLEWOMAN": _full_house,
    "PAWN_BROKER": lambda faces: sum(faces) >= 30,
    "KNIGHT": _of_a_kind(5),
    "MAGICIAN": lambda faces: {2, 3, 4, 5} <= set(faces) and bool({1, 6} & set(faces)),
    "ALCHEMIST": lambda faces: set(faces) == {1, 2, 3, 4, 5, 6},
    "BISHOP": _groups(3, 2),
    "NOBLEMAN": _groups(2, 3),
    "GENERAL": _of_a_kind(6),
    "KING": _of_a_kind(7),
}


@lru_cache(maxsize=8192)
def affordable(faces: Faces) -> frozenset[str]:
    """Return the names of the characters that these dice can pay for."""
    return frozenset(name for name, met in COSTS.items() if met(faces))


def best_set(faces: Faces) -> tuple[int, int]:
    """Return the largest set of equal dice, as (number of dice, face). The higher face breaks ties."""
    return max(((count, value) for value, count in Counter(faces).items()), default=(0, 0))
