"""Possible thefts, counted and numbered, so that a uniform number draws a uniform theft.

Each seat takes a card, diamonds with or without the fake, the fake alone, or nothing. Only the sum of the stolen
diamonds affects later seats, so their distribution is drawn last: until then only the thieves are counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Generic, TypeVar

import msgspec

from ftk_core.game import put
from ftk_core.games.kings_court.box import CARDS, THIEF, URCHIN
from ftk_core.games.kings_court.claims import Take

T = TypeVar("T")
Counts = tuple[int, ...]
"""Number of cards of each kind, by `CARDS`."""
Share = tuple[str, bool]
"""Share of a seat: a card's name, `THIEF` or `URCHIN` (nothing); and whether it includes the fake."""
Spot = tuple[int, Counts, bool, int, bool]
"""State before a chair: its number, the cards, the fake, thieves so far, and whether a seat found the box empty."""
NOTHING: Share = (URCHIN, False)
SHARES: tuple[Share, ...] = (
    *((card, False) for card in CARDS),
    (THIEF, False),
    (THIEF, True),
    (URCHIN, True),
    NOTHING,
)


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """Knowledge about a seat that took its share, or about the first player's dismissal."""

    seat: int
    """Seat number; 0 for the dismissal."""
    shares: tuple[Share, ...]
    """Possible shares."""
    diamonds: int | None = None
    """Number of diamonds if it took diamonds; None if unknown."""
    below: int = 99
    """Exclusive upper bound for an unknown number of diamonds."""
    refusing: bool = False
    """True if nothing could be taken from a box that was not empty, as for the last subject (K5)."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive seats, with the box before them and, if known, after them."""

    chairs: tuple[Chair, ...]
    cards: Counts
    fake: bool
    diamonds: tuple[int, ...]
    """Possible numbers of diamonds in the box."""
    left: tuple[int, Counts, bool] | None = None
    """Rest of the box: diamonds, cards, the fake."""


class Ways(Generic[T]):
    """Alternatives with a number of ways each. All ways are numbered from 0, in order."""

    __slots__ = ("_choices", "_sums", "count")

    def __init__(self, choices: Iterable[tuple[T, int]]) -> None:
        counted = [(choice, count) for choice, count in choices if count]
        self._choices = [choice for choice, _ in counted]
        self._sums = list(accumulate((count for _, count in counted), initial=0))
        self.count = self._sums[-1]

    def find(self, number: int) -> tuple[T, int]:
        """Return the alternative that a way belongs to, and the number of the way within it."""
        at = bisect_right(self._sums, number) - 1
        return self._choices[at], number - self._sums[at]


@lru_cache(maxsize=1 << 12)
def splits(total: int, thieves: int, below: int) -> int:
    """Count the ways for the thieves to share all diamonds, each at least one and fewer than `below`."""
    if not thieves:
        return int(not total)
    return sum(splits(total - taken, thieves - 1, below) for taken in range(1, min(total, below - 1) + 1))


@lru_cache(maxsize=1 << 12)
def _first_of(total: int, thieves: int, below: int) -> Ways[int]:
    """Return the ways for the first of the thieves to take part of the total."""
    return Ways((taken, splits(total - taken, thieves - 1, below)) for taken in range(1, min(total, below - 1) + 1))


class Thefts:
    """All possible thefts in a span, numbered from 0 to `count` - 1."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self._below = min((chair.below for chair in span.chairs), default=99)
        self._fixed = sum(chair.diamonds or 0 for chair in span.chairs)
        self._known: dict[Spot, Ways[tuple[Share, Spot]]] = {}
        self._hauls: dict[tuple[int, bool], Ways[tuple[int, int]]] = {}
        self._start: Spot = (0, span.cards, span.fake, 0, False)
        self.count = self._count(self._start)

    def _count(self, spot: Spot) -> int:
        """Count the continuations from a state."""
        if spot[0] < len(self.span.chairs):
            return self._after(spot).count
        _, cards, fake, thieves, emptied = spot
        if self.span.left is not None and self.span.left[1:] != (cards, fake):
            return 0
        return self._haul_of(thieves, emptied=emptied).count

    def _after(self, spot: Spot) -> Ways[tuple[Share, Spot]]:
        """Return the possible shares of a seat, each with the next state."""
        if spot not in self._known:
            self._known[spot] = Ways((way, self._count(way[1])) for way in self._allowed(*spot))
        return self._known[spot]

    def _allowed(
        self,
        at: int,
        cards: Counts,
        fake: bool,
        thieves: int,
        emptied: bool,
    ) -> Iterator[tuple[Share, Spot]]:
        chair = self.span.chairs[at]
        for share in chair.shares:
            name, with_fake = share
            bare = not any(cards) and not fake
            if (with_fake and not fake) or (emptied and share != NOTHING):
                continue
            if share == NOTHING and not bare and not chair.refusing:
                continue
            left = cards
            if name in CARDS:
                kind = CARDS.index(name)
                if not cards[kind]:
                    continue
                left = put(cards, kind, cards[kind] - 1)
            more = thieves + (name == THIEF and chair.diamonds is None)
            gone = emptied or (share == NOTHING and not chair.refusing)
            yield share, (at + 1, left, fake and not with_fake, more, gone)

    def _haul_of(self, thieves: int, *, emptied: bool) -> Ways[tuple[int, int]]:
        """Return pairs of diamonds in the box and diamonds taken by thieves with unknown amounts."""
        key = thieves, emptied
        if key not in self._hauls:
            self._hauls[key] = Ways(
                ((diamonds, total), splits(total, thieves, self._below))
                for diamonds in self.span.diamonds
                for total in self._totals(diamonds, emptied=emptied)
            )
        return self._hauls[key]

    def _totals(self, diamonds: int, *, emptied: bool) -> Iterable[int]:
        """Return the possible totals of these thieves."""
        most, left = diamonds - self._fixed, self.span.left
        if left is None:
            return range(max(0, most) if emptied else 0, most + 1)
        return () if (emptied and left[0]) or most < left[0] else (most - left[0],)

    def numbered(self, number: int) -> tuple[int, Mapping[int, Take]]:
        """Return one theft: the diamonds in the box before it, and each seat's take; seat 0 is the dismissal."""
        spot, shares = self._start, list[Share]()
        for _ in self.span.chairs:
            (share, spot), number = self._after(spot).find(number)
            shares.append(share)
        thieves = spot[3]
        (diamonds, total), number = self._haul_of(thieves, emptied=spot[4]).find(number)
        takes = dict[int, Take]()
        for chair, (name, with_fake) in zip(self.span.chairs, shares, strict=True):
            taken = 0
            if name == THIEF:
                taken = chair.diamonds or 0
                if chair.diamonds is None:
                    taken, number = _first_of(total, thieves, self._below).find(number)
                    total, thieves = total - taken, thieves - 1
            takes[chair.seat] = Take(taken, name if name in CARDS else None, with_fake)
        return diamonds, takes


@lru_cache(64)
def thefts_of(span: Span) -> Thefts:
    """Return the thefts of a span; cached for all courts resampled from one state."""
    return Thefts(span)
