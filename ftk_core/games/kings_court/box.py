"""Contents of the box by number of players, and validation of custom contents."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Annotated

import msgspec

from ftk_core.bounds import bag, number, one_of, seat_of

DIAMONDS = 13
MOST_HIDDEN = 3
PEASANT, USURPER, APPRENTICE, GUARD, PRINCESS = "peasant", "usurper", "apprentice", "guard", "princess"
CARDS = (PEASANT, USURPER, APPRENTICE, GUARD, PRINCESS)
"""Characters that exist as cards in the box, in canonical order."""
KING, THIEF, URCHIN, NONE = "king", "thief", "urchin", "none"
"""Roles without a card: by seat, by taking diamonds, by taking nothing or the fake, and by a mistake."""
ROLES = (KING, *CARDS, THIEF, URCHIN, NONE)
MOST_SEATS = 12
Chair = Annotated[int, seat_of(MOST_SEATS)]
Role = Annotated[str, one_of(*ROLES)]
CardName = Annotated[str, one_of(*CARDS)]
Handful = Annotated[tuple[CardName, ...], bag(MOST_SEATS - 3)]
"""Some of the N - 3 cards in the box."""
Diamonds = Annotated[int, number(0, DIAMONDS)]
Hidden = Annotated[int, number(0, MOST_HIDDEN)]
COMPOSITION = {
    6: (1, 1, 1, 0),
    7: (2, 1, 1, 0),
    8: (3, 1, 1, 1),
    9: (4, 1, 1, 1),
    10: (4, 2, 1, 1),
    11: (4, 2, 2, 2),
    12: (5, 2, 2, 2),
}
"""By number of players: Peasants, Usurpers, Apprentices and Kings Gifts."""


class BadBox(ValueError):
    """Raised for contents that the game cannot be played with. The message gives the reason."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the box that an organiser can change."""

    cards: tuple[str, ...] | None = None
    """Character cards; None for the defaults in the rules."""
    fake: bool = False
    """True if the fake diamond is in the box, in place of a card."""
    gifts: int | None = None
    """Number of Kings Gifts; None for the default in the rules."""


@cache
def cards_for(seats: int) -> tuple[str, ...]:
    """Return the default character cards for this number of players."""
    peasants, usurpers, apprentices, _ = COMPOSITION[seats]
    return (PEASANT,) * peasants + (USURPER,) * usurpers + (APPRENTICE,) * apprentices


def gifts_for(seats: int) -> int:
    """Return the number of Kings Gifts."""
    return COMPOSITION[seats][3]


def check_box(seats: int, cards: tuple[str, ...], *, fake: bool) -> tuple[str, ...]:
    """Return custom contents in canonical order; raise BadBox.

    The box holds N - 3 things besides the diamonds. The fake diamond replaces a Usurper.
    """
    unknown = sorted(set(cards) - set(CARDS))
    if unknown:
        raise BadBox(f"there is no character {unknown[0]!r}; there are {', '.join(CARDS)}")
    wanted = seats - 3
    if len(cards) + fake != wanted:
        kinds = "cards, the fake diamond counted as one" if fake else "cards"
        raise BadBox(f"with {seats} players the box holds {wanted} {kinds}, not {len(cards) + fake}")
    count = Counter(cards)
    if not count[PEASANT]:
        raise BadBox("keep at least one Loyal Peasant")
    for single in (GUARD, PRINCESS):
        if count[single] > 1:
            raise BadBox(f"there is one {single} at the most")
    return tuple(sorted(cards, key=CARDS.index))


def contents(seats: int, options: Options) -> tuple[tuple[str, ...], int]:
    """Return the cards and the number of gifts; raise BadBox for impossible contents.

    If only the fake diamond is requested, it replaces a Usurper.
    """
    cards, gifts = options.cards, options.gifts
    if cards is None:
        cards = cards_for(seats)
        if options.fake:
            cards = tuple((Counter(cards) - Counter([USURPER])).elements())
    if gifts is not None and not 0 <= gifts < seats:
        raise BadBox(f"there are 0 to {seats - 1} Kings Gifts, not {gifts}")
    return check_box(seats, cards, fake=options.fake), gifts_for(seats) if gifts is None else gifts
