"""Score of how interesting a match is for spectators: a pure function of ratings, places and rounds."""

from __future__ import annotations

from dataclasses import dataclass

EVEN_WITHIN = 200_000
"""Rating difference, in thousandths, at which a table counts as half as even as one of equals."""
STRONG = 1_500_000
"""Rating of a newcomer, the unit of strength."""
CONTENDERS = 3
"""Number of top places of a league that can usually still win it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attraction:
    """Public knowledge about a match."""

    ratings: tuple[int, ...]
    """Of the bots at the table, in thousandths of a point."""
    places: tuple[int, ...] = ()
    """Places of the bots in the league's standings, if it is a league match after the first round."""
    rounds_left: int | None = None
    """Number of rounds after this one; None outside leagues."""
    points: tuple[int, ...] = ()
    """Public points of each seat during the match; empty if the game shows none."""


def attraction(known: Attraction) -> float:
    """Return the score of a match, from 0 up: importance, upsets, strength and evenness.

    >>> even, uneven = Attraction(ratings=(1_500_000, 1_500_000)), Attraction(ratings=(1_300_000, 1_700_000))
    >>> attraction(even), round(attraction(uneven), 2)
    (2.0, 1.33)
    """
    mean = sum(known.ratings) / len(known.ratings) if known.ratings else STRONG
    apart = max(known.ratings, default=0) - min(known.ratings, default=0)
    even = EVEN_WITHIN / (EVEN_WITHIN + apart)
    return even + mean / STRONG + deciding(known) + upset(known)


def deciding(known: Attraction) -> float:
    """Return how decisive a table is for its league, from 0 to 2: by the number of contenders and the round."""
    if known.rounds_left is None or not known.places:
        return 0.0
    contenders = sum(place <= CONTENDERS for place in known.places)
    return min(2, contenders) / (1 + known.rounds_left) if contenders > 1 else 0.0


def upset(known: Attraction) -> float:
    """Return the size of an upset under way, from 0 to 1: the rating deficit of the sole leader.

    >>> upset(Attraction(ratings=(1_600_000, 1_500_000), points=(3, 8)))
    0.5
    """
    if len(known.points) != len(known.ratings) or known.points.count(max(known.points, default=0)) != 1:
        return 0.0
    ahead = known.ratings[known.points.index(max(known.points))]
    return min(1.0, (max(known.ratings) - ahead) / EVEN_WITHIN)


def overtaker(before: tuple[int, ...], now: tuple[int, ...]) -> int | None:
    """Return the seat that has come from behind to lead alone, by public points; None if none has.

    >>> overtaker((7, 5, 0), (7, 9, 0)), overtaker((7, 5, 0), (8, 5, 0)), overtaker((7, 5, 0), (7, 7, 0))
    (1, None, None)
    """
    if len(before) != len(now) or now.count(max(now, default=0)) != 1:
        return None
    ahead = now.index(max(now))
    return ahead if before[ahead] < max(before) else None
