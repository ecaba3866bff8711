"""Roles and options of Kings Court, and the check of the cards that an organiser chooses."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Annotated

import msgspec

from ftk_core.field_bounds import bag, number, one_of, seat_of

DIAMONDS = 13
MAX_HIDDEN_DIAMONDS = 3
PEASANT, USURPER, APPRENTICE, GUARD, PRINCESS = "peasant", "usurper", "apprentice", "guard", "princess"
CARDS = (PEASANT, USURPER, APPRENTICE, GUARD, PRINCESS)
"""Characters that exist as cards in the box, in canonical order."""
KING, THIEF, URCHIN, NONE = "king", "thief", "urchin", "none"
"""Roles of seats that took no card.

They are, in this order: the King; a seat that took diamonds; a seat that took neither diamonds nor a card; a seat that
broke the rules of taking.
"""
ROLES = (KING, *CARDS, THIEF, URCHIN, NONE)
MAX_SEATS = 12
SeatNumber = Annotated[int, seat_of(MAX_SEATS)]
Role = Annotated[str, one_of(*ROLES)]
CardName = Annotated[str, one_of(*CARDS)]
CardSet = Annotated[tuple[CardName, ...], bag(MAX_SEATS - 3)]
"""Names of character cards from the box, in any order. With N players the box holds at most N - 3 of them."""
Diamonds = Annotated[int, number(0, DIAMONDS)]
HiddenDiamonds = Annotated[int, number(0, MAX_HIDDEN_DIAMONDS)]
COMPOSITION = {
    6: (1, 1, 1, 0),
    7: (2, 1, 1, 0),
    8: (3, 1, 1, 1),
    9: (4, 1, 1, 1),
    10: (4, 2, 1, 1),
    11: (4, 2, 2, 2),
    12: (5, 2, 2, 2),
}
"""Number of players -> numbers of Peasants, Usurpers, Apprentices and Kings Gifts."""


class InvalidBoxContentsError(ValueError):
    """Raised for cards or tokens with which Kings Court cannot be played."""


class KingsCourtOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Kings Court: cards to steal, fake diamond, and tokens for wrong accusations."""

    cards: CardSet | None = None
    """Character cards; None for the defaults in the rules."""
    fake: bool = False
    """True if the fake diamond is in the box, in place of a card."""
    gifts: Annotated[int, number(0, MAX_SEATS - 1)] | None = None
    """Number of Kings Gifts; None for the default in the rules."""


@cache
def cards_for(seats: int) -> tuple[str, ...]:
    """Return the default character cards for this number of players."""
    peasants, usurpers, apprentices, _ = COMPOSITION[seats]
    return (PEASANT,) * peasants + (USURPER,) * usurpers + (APPRENTICE,) * apprentices


def gifts_for(seats: int) -> int:
    """Return the default number of wrong accusations that the King may survive."""
    return COMPOSITION[seats][3]


def check_box(seats: int, cards: tuple[str, ...], *, fake: bool) -> tuple[str, ...]:
    """Check the character cards chosen for the box, and return them sorted.

    Raises InvalidBoxContentsError if there are too few or too many cards, an unknown one, no Peasant, or a second
    Guard or Princess.
    """
    # The fake diamond counts as a card. The right number is the number of players less 3.
    unknown = sorted(set(cards) - set(CARDS))
    if unknown:
        raise InvalidBoxContentsError(f"there is no character {unknown[0]!r}; there are {', '.join(CARDS)}")
    size = seats - 3
    if len(cards) + fake != size:
        kinds = "cards, the fake diamond counted as one" if fake else "cards"
        raise InvalidBoxContentsError(f"with {seats} players the box holds {size} {kinds}, not {len(cards) + fake}")
    count = Counter(cards)
    if not count[PEASANT]:
        raise InvalidBoxContentsError("keep at least one Loyal Peasant")
    for single in (GUARD, PRINCESS):
        if count[single] > 1:
            raise InvalidBoxContentsError(f"there is one {single} at the most")
    return tuple(sorted(cards, key=CARDS.index))


def contents(seats: int, options: KingsCourtOptions) -> tuple[tuple[str, ...], int]:
    """Return the cards in the box and the number of Kings Gifts (tokens that pay for wrong accusations).

    Raises InvalidBoxContentsError if the game cannot be played with these options.
    """
    cards, gifts = options.cards, options.gifts
    if cards is None:
        cards = cards_for(seats)
        if options.fake:
            cards = tuple((Counter(cards) - Counter([USURPER])).elements())
    if gifts is not None and not 0 <= gifts < seats:
        raise InvalidBoxContentsError(f"there are 0 to {seats - 1} Kings Gifts, not {gifts}")
    return check_box(seats, cards, fake=options.fake), gifts_for(seats) if gifts is None else gifts
