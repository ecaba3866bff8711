"""What makes a match worth seeing, by what everybody may know of it: a pure function of ratings, places and rounds."""

from __future__ import annotations

from dataclasses import dataclass

EVEN_WITHIN = 200_000
"""Ratings this far apart, in thousandths, make a table half as even as one of equals."""
STRONG = 1_500_000
"""The rating of a newcomer, by which strength is measured."""
CONTENDERS = 3
"""Whoever stands on one of so many places of a league can still win it, as a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attraction:
    """What the public knows of a match before it looks."""

    ratings: tuple[int, ...]
    """Of the bots at the table, in thousandths of a point."""
    places: tuple[int, ...] = ()
    """Theirs in the standings of the league, where it is a match of one and a round has been played."""
    rounds_left: int | None = None
    """How many rounds come after this one; None where it is no match of a league."""
    points: tuple[int, ...] = ()
    """What each seat has for all to see while it is being played; empty where the game shows no such thing."""


def attraction(known: Attraction) -> float:
    """Return how much a match is worth seeing, from 0 up: what decides, what is being upset, the strong and the even.

    >>> even, uneven = Attraction(ratings=(1_500_000, 1_500_000)), Attraction(ratings=(1_300_000, 1_700_000))
    >>> attraction(even), round(attraction(uneven), 2)
    (2.0, 1.33)
    """
    mean = sum(known.ratings) / len(known.ratings) if known.ratings else STRONG
    apart = max(known.ratings, default=0) - min(known.ratings, default=0)
    even = EVEN_WITHIN / (EVEN_WITHIN + apart)
    return even + mean / STRONG + deciding(known) + upset(known)


def deciding(known: Attraction) -> float:
    """Return how much a table decides of its league, from 0 to 2: by how many contenders meet, and how late."""
    if known.rounds_left is None or not known.places:
        return 0.0
    contenders = sum(place <= CONTENDERS for place in known.places)
    return min(2, contenders) / (1 + known.rounds_left) if contenders > 1 else 0.0


def upset(known: Attraction) -> float:
    """Return how much of an upset is under way, from 0 to 1: by how far below the strongest the one bot ahead is rated.

    >>> upset(Attraction(ratings=(1_600_000, 1_500_000), points=(3, 8)))
    0.5
    """
    if len(known.points) != len(known.ratings) or known.points.count(max(known.points, default=0)) != 1:
        return 0.0
    ahead = known.ratings[known.points.index(max(known.points))]
    return min(1.0, (max(known.ratings) - ahead) / EVEN_WITHIN)


def overtaker(before: tuple[int, ...], now: tuple[int, ...]) -> int | None:
    """Return the seat that has come from behind to lead alone, by what all see; None where none has.

    >>> overtaker((7, 5, 0), (7, 9, 0)), overtaker((7, 5, 0), (8, 5, 0)), overtaker((7, 5, 0), (7, 7, 0))
    (1, None, None)
    """
    if len(before) != len(now) or now.count(max(now, default=0)) != 1:
        return None
    ahead = now.index(max(now))
    return ahead if before[ahead] < max(before) else None
