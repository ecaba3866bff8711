"""What is in the box: every card and how many players need it.

Card ids read ``GOV-DIPLOMACY-A``, ``GOLD-2-07`` and ``KING-PP-1``. What no source states outright, and
this table therefore infers, stands in `INFERRED`; RULES.md gives the reasons.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

import msgspec

from ftk_core.bounds import bag, number, one_of, seat_of

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
"""In the order of the rule book's tie-break; the last one is in play with five players only."""
LETTERS = "ABCDEFGHI"
KING_TYPES: tuple[KingType, ...] = ("PM", "P", "M", "PP", "MM", "MIX")
REMOVED = {2: 22, 3: 13, 4: 8, 5: 0}
"""Cards put back unseen, by players."""
GOLD_EACH = {2: 9, 3: 10, 4: 11, 5: 13}
"""Gold cards of each of the values 1, 2, 3, by players."""
GOLD_VALUES = (1, 2, 3)


class Inferred(msgspec.Struct, frozen=True, kw_only=True):
    """The figures no source prints; a correction of any of them is a new version of the game."""

    high: tuple[Office, ...] = ("diplomacy", "entertainment")
    """The offices whose nine cards are 2222 333 44; the others are 1111111 22."""
    high_values: tuple[int, ...] = (2, 2, 2, 2, 3, 3, 3, 4, 4)
    """By letter, A first: the weak cards break the ties."""
    low_values: tuple[int, ...] = (1, 1, 1, 1, 1, 1, 1, 2, 2)
    kings_few: tuple[int, ...] = (1, 2, 2, 2, 2, 1)
    """By `KING_TYPES`, with two to four players."""
    kings_five: tuple[int, ...] = (1, 3, 3, 3, 3, 2)
    """By `KING_TYPES`, with five players."""
    sixth_office: Office = "provisions"


INFERRED = Inferred()


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One card."""

    id: str
    order: int
    """Its place in the box: the canonical order of cards."""
    kind: Literal["government", "gold", "king"]
    value: int = 0
    """Of a government or gold card."""
    office: int = -1
    """Of a government card: an index into `OFFICES`."""
    letter: str = ""
    """Of a government card, for ties."""
    king: KingType | None = None
    """Of a king card."""
    min_players: int = 2
    """The number at its bottom."""


def _government() -> list[Card]:
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


def _gold() -> list[Card]:
    cards = []
    for value in GOLD_VALUES:
        for copy in range(1, GOLD_EACH[5] + 1):
            needed = min(players for players, count in GOLD_EACH.items() if copy <= count)
            cards.append(Card(id=f"GOLD-{value}-{copy:02}", order=0, kind="gold", value=value, min_players=needed))
    return cards


def _kings() -> list[Card]:
    cards = []
    for king, few, five in zip(KING_TYPES, INFERRED.kings_few, INFERRED.kings_five, strict=True):
        for copy in range(1, five + 1):
            needed = 2 if copy <= few else 5
            cards.append(Card(id=f"KING-{king}-{copy}", order=0, kind="king", king=king, min_players=needed))
    return cards


BOX: tuple[Card, ...] = tuple(
    msgspec.structs.replace(card, order=order) for order, card in enumerate([*_government(), *_gold(), *_kings()])
)
"""All 108 cards in canonical order."""
CARDS: dict[str, Card] = {card.id: card for card in BOX}


@cache
def cards_for(seats: int) -> tuple[str, ...]:
    """Return the cards used with so many players, before some are put back unseen."""
    return tuple(card.id for card in BOX if card.min_players <= seats)


@cache
def offices_for(seats: int) -> tuple[Office, ...]:
    """Return the offices in play."""
    return OFFICES if seats == 5 else OFFICES[:5]


def secondary(primary: int, seats: int) -> int:
    """Return the value of the Secondary Duty under a Primary: half, rounded down; none with two players (F6)."""
    return 0 if seats == 2 else primary // 2


MOST_SEATS, MOST_TURNS = 5, 20
"""Of the second: turns of the Adviser, and so cards on the Favor deck. Two players have 82 cards, of which 22 go back
unseen, and lay out three in a turn; more players have fewer turns."""
MOST_HELD = 2 * MOST_TURNS
"""Cards in one hand: one from each turn, and all that were on the Favor deck."""
Chair = Annotated[int, seat_of(MOST_SEATS)]
CardId = Annotated[str, one_of(*CARDS)]
Cards = Annotated[tuple[CardId, ...], bag(1)]
Held = Annotated[int, number(0, MOST_HELD)]
