"""Contents of the box: every card, and from which number of players it is used.

Card ids read ``GOV-DIPLOMACY-A``, ``GOLD-2-07`` and ``KING-PP-1``. Figures that no source states outright, and that
this table therefore infers, are in `INFERRED`; RULES.md gives the reasons.
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
"""Offices in the order of the rule book's tie-break. The last one is used with five players only."""
LETTERS = "ABCDEFGHI"
KING_TYPES: tuple[KingType, ...] = ("PM", "P", "M", "PP", "MM", "MIX")
REMOVED = {2: 22, 3: 13, 4: 8, 5: 0}
"""By number of players: number of cards removed unseen."""
GOLD_EACH = {2: 9, 3: 10, 4: 11, 5: 13}
"""By number of players: number of gold cards of each of the values 1, 2 and 3."""
GOLD_VALUES = (1, 2, 3)


class Inferred(msgspec.Struct, frozen=True, kw_only=True):
    """Figures that no source prints. Correcting one of them makes a new version of the game."""

    high: tuple[Office, ...] = ("diplomacy", "entertainment")
    """Offices whose nine cards are 2222 333 44. The others have 1111111 22."""
    high_values: tuple[int, ...] = (2, 2, 2, 2, 3, 3, 3, 4, 4)
    """Values by letter, A first: the low cards win ties."""
    low_values: tuple[int, ...] = (1, 1, 1, 1, 1, 1, 1, 2, 2)
    kings_few: tuple[int, ...] = (1, 2, 2, 2, 2, 1)
    """By `KING_TYPES`, with two to four players."""
    kings_five: tuple[int, ...] = (1, 3, 3, 3, 3, 2)
    """By `KING_TYPES`, with five players."""
    sixth_office: Office = "provisions"


INFERRED = Inferred()


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """Card of the game."""

    id: str
    order: int
    """Position in the canonical order of all cards."""
    kind: Literal["government", "gold", "king"]
    value: int = 0
    """Value of a government or gold card."""
    office: int = -1
    """Office of a government card, an index into `OFFICES`."""
    letter: str = ""
    """Letter of a government card, for ties."""
    king: KingType | None = None
    """Type of a King card."""
    min_players: int = 2
    """Number at its bottom: the smallest number of players it is used with."""


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
    """Return the cards used with this number of players, before some are removed unseen."""
    return tuple(card.id for card in BOX if card.min_players <= seats)


@cache
def offices_for(seats: int) -> tuple[Office, ...]:
    """Return the offices in play."""
    return OFFICES if seats == 5 else OFFICES[:5]


def secondary(primary: int, seats: int) -> int:
    """Return the value of the Secondary Duty: half the Primary, rounded down; none with two players (F6)."""
    return 0 if seats == 2 else primary // 2


MOST_SEATS, MOST_TURNS = 5, 20
"""Limits. `MOST_TURNS`: turns of the Adviser, and so cards on the Favor deck. Two players have 82 cards, remove 22
unseen, and lay out three in a turn; more players have fewer turns."""
MOST_HELD = 2 * MOST_TURNS
"""Maximum number of cards in one hand: one from each turn, and the whole Favor deck."""
Chair = Annotated[int, seat_of(MOST_SEATS)]
CardId = Annotated[str, one_of(*CARDS)]
Cards = Annotated[tuple[CardId, ...], bag(1)]
Held = Annotated[int, number(0, MOST_HELD)]
