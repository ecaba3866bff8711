"""All cards of For the King (and Me).

Card ids look like ``GOV-DIPLOMACY-A``, ``GOLD-2-07`` and ``KING-PP-1``.
"""
# Some values and numbers of cards are in no published source. `INFERRED` holds them; RULES.md gives the reasons.

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

import msgspec

from ftk_core.field_bounds import bag, number, one_of, seat_of

Office = Literal["diplomacy", "entertainment", "livestock", "architecture", "military", "provisions"]
KingType = Literal["PM", "P", "M", "PP", "MM", "MIX"]

OFFICES: tuple[Office, ...] = (
    "diplomacy",
    "entertainment",
    "livestock",
    "architecture",
    "military",
    "provisions",
)
"""Offices of the government, in the order in which ties are broken. The last is used with five players only."""
LETTERS = "ABCDEFGHI"
KING_TYPES: tuple[KingType, ...] = ("PM", "P", "M", "PP", "MM", "MIX")
REMOVED_CARD_COUNTS = {2: 22, 3: 13, 4: 8, 5: 0}
"""Number of players -> number of cards removed unseen before play."""
GOLD_CARD_COUNTS = {2: 9, 3: 10, 4: 11, 5: 13}
"""Number of players -> number of gold cards of each of the values 1, 2 and 3."""
GOLD_VALUES = (1, 2, 3)


class InferredCardCountsAndValues(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers and values of cards that are inferred, because no published source states them."""

    # A correction needs a new version of the rules, because old logs are rerun with the old values.

    high: tuple[Office, ...] = ("diplomacy", "entertainment")
    """Offices whose nine cards have high values, listed in `high_values`.

    The nine cards of each other office have the values in `low_values`.
    """
    high_values: tuple[int, ...] = (2, 2, 2, 2, 3, 3, 3, 4, 4)
    """Values of the nine cards of an office in `high`, in the order of the letters A to I printed on them.

    Cards with earlier letters have lower or equal values, but win ties.
    """
    low_values: tuple[int, ...] = (1, 1, 1, 1, 1, 1, 1, 2, 2)
    kings_few: tuple[int, ...] = (1, 2, 2, 2, 2, 1)
    """Number of King cards of each type in `KING_TYPES`, with two to four players."""
    kings_five: tuple[int, ...] = (1, 3, 3, 3, 3, 2)
    """Number of King cards of each type in `KING_TYPES`, with five players."""
    sixth_office: Office = "provisions"


INFERRED = InferredCardCountsAndValues()


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """Card of the game: a government card, a gold card or a King card."""

    id: str
    order: int
    """Position in the canonical order of all cards."""
    kind: Literal["government", "gold", "king"]
    value: int = 0
    """Value of a government or gold card."""
    office: int = -1
    """Office of a government card, an index into `OFFICES`."""
    letter: str = ""
    """Letter of a government card; the earlier letter wins ties."""
    king: KingType | None = None
    """Type of a King card."""
    min_players: int = 2
    """Smallest number of players with which the card is used, as printed at its bottom."""


def _government_cards() -> list[Card]:
    cards = []
    for office, name in enumerate(OFFICES):
        values = INFERRED.high_values if name in INFERRED.high else INFERRED.low_values
        needed = 5 if name == INFERRED.sixth_office else 2
        for letter, value in zip(LETTERS, values, strict=True):
            card_id = f"GOV-{name.upper()}-{letter}"
            cards.append(
                Card(
                    id=card_id,
                    order=0,
                    kind="government",
                    value=value,
                    office=office,
                    letter=letter,
                    min_players=needed,
                )
            )
    return cards


def _gold_cards() -> list[Card]:
    cards = []
    for value in GOLD_VALUES:
        for copy in range(1, GOLD_CARD_COUNTS[5] + 1):
            needed = min(players for players, count in GOLD_CARD_COUNTS.items() if copy <= count)
            cards.append(Card(id=f"GOLD-{value}-{copy:02}", order=0, kind="gold", value=value, min_players=needed))
    return cards


def _king_cards() -> list[Card]:
    cards = []
    for king, few, five in zip(KING_TYPES, INFERRED.kings_few, INFERRED.kings_five, strict=True):
        for copy in range(1, five + 1):
            needed = 2 if copy <= few else 5
            cards.append(Card(id=f"KING-{king}-{copy}", order=0, kind="king", king=king, min_players=needed))
    return cards


BOX: tuple[Card, ...] = tuple(
    msgspec.structs.replace(card, order=order)
    for order, card in enumerate([*_government_cards(), *_gold_cards(), *_king_cards()])
)
"""All 108 cards in canonical order."""
CARDS: dict[str, Card] = {card.id: card for card in BOX}


@cache
def cards_for(seats: int) -> tuple[str, ...]:
    """Return the ids of all cards used with this number of players."""
    # With fewer than five players, some of these cards are removed before play, and no player sees which.
    return tuple(card.id for card in BOX if card.min_players <= seats)


@cache
def offices_for(seats: int) -> tuple[Office, ...]:
    """Return the offices that are used with this number of players."""
    return OFFICES if seats == 5 else OFFICES[:5]


def secondary_duty(primary: int, seats: int) -> int:
    """Return the points for second place in an office. `primary` is the number of points for first place."""
    return 0 if seats == 2 else primary // 2


MAX_SEATS, MAX_TURNS = 5, 20
"""Maximum number of seats, and of turns. Each turn puts one card on the Favor deck, which is auctioned afterwards.

Two players have the most turns: of 82 cards, 22 are removed unseen and three are laid out in each turn.
"""
MAX_HAND_CARDS = 2 * MAX_TURNS
"""Maximum number of cards in one hand: one card from each turn, and the whole Favor deck."""
SeatNumber = Annotated[int, seat_of(MAX_SEATS)]
CardId = Annotated[str, one_of(*CARDS)]
Cards = Annotated[tuple[CardId, ...], bag(1)]
HandSize = Annotated[int, number(0, MAX_HAND_CARDS)]
