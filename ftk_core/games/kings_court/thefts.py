"""The thefts that can have been: counted and numbered, so that one number draws one, each as likely as any other.

Seat by seat something is taken: a card, diamonds with the fake or without, the fake alone, or nothing. How many
diamonds a thief took matters to nobody but in the sum, so that it is drawn last: on the way only thieves are counted.
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
"""How many cards of each kind there are, by `CARDS`."""
Share = tuple[str, bool]
"""What a seat can take: a card's name, `THIEF` or `URCHIN`, which is nothing; and whether the fake is with it."""
Spot = tuple[int, Counts, bool, int, bool]
"""Before a chair: its number, the cards, the fake, thieves so far, and whether somebody found the box empty."""
NOTHING: Share = (URCHIN, False)
SHARES: tuple[Share, ...] = (
    *((card, False) for card in CARDS),
    (THIEF, False),
    (THIEF, True),
    (URCHIN, True),
    NOTHING,
)


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that helped itself, or the first player's dismissal, as far as it is known."""

    seat: int
    """0 for the dismissal."""
    shares: tuple[Share, ...]
    """What it can have taken."""
    diamonds: int | None = None
    """How many if they were diamonds; None where that is not known."""
    below: int = 99
    """Fewer than so many, if it is not known."""
    refusing: bool = False
    """Whether nothing could be taken from a box that was not empty, as by the last subject (K5)."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Some seats in a row, with the box before them, and behind them if that is known."""

    chairs: tuple[Chair, ...]
    cards: Counts
    fake: bool
    diamonds: tuple[int, ...]
    """How many diamonds can have been in the box."""
    left: tuple[int, Counts, bool] | None = None
    """What was left: diamonds, cards, the fake."""


class Ways(Generic[T]):
    """What can follow, each in a number of ways: all of these ways are numbered from 0, in order."""

    __slots__ = ("_choices", "_sums", "count")

    def __init__(self, choices: Iterable[tuple[T, int]]) -> None:
        counted = [(choice, count) for choice, count in choices if count]
        self._choices = [choice for choice, _ in counted]
        self._sums = list(accumulate((count for _, count in counted), initial=0))
        self.count = self._sums[-1]

    def find(self, number: int) -> tuple[T, int]:
        """Return the choice that a way belongs to, and the way's number among those of this choice."""
        at = bisect_right(self._sums, number) - 1
        return self._choices[at], number - self._sums[at]


@lru_cache(maxsize=1 << 12)
def splits(total: int, thieves: int, below: int) -> int:
    """Return in how many ways so many thieves can share so many diamonds, each at least one and less than a bound."""
    if not thieves:
        return int(not total)
    return sum(splits(total - taken, thieves - 1, below) for taken in range(1, min(total, below - 1) + 1))


@lru_cache(maxsize=1 << 12)
def _first_of(total: int, thieves: int, below: int) -> Ways[int]:
    """Return what the first of so many thieves took of all that they took."""
    return Ways((taken, splits(total - taken, thieves - 1, below)) for taken in range(1, min(total, below - 1) + 1))


class Thefts:
    """All that can have happened in a span, numbered from 0 to `count` - 1."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self._below = min((chair.below for chair in span.chairs), default=99)
        self._fixed = sum(chair.diamonds or 0 for chair in span.chairs)
        self._known: dict[Spot, Ways[tuple[Share, Spot]]] = {}
        self._hauls: dict[tuple[int, bool], Ways[tuple[int, int]]] = {}
        self._start: Spot = (0, span.cards, span.fake, 0, False)
        self.count = self._count(self._start)

    def _count(self, spot: Spot) -> int:
        """Return in how many ways it can have gone on."""
        if spot[0] < len(self.span.chairs):
            return self._after(spot).count
        _, cards, fake, thieves, emptied = spot
        if self.span.left is not None and self.span.left[1:] != (cards, fake):
            return 0
        return self._haul_of(thieves, emptied=emptied).count

    def _after(self, spot: Spot) -> Ways[tuple[Share, Spot]]:
        """Return what a seat can have taken, with what is then."""
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
        """Return the diamonds before, with what was taken by thieves of whom it is not known how many."""
        key = thieves, emptied
        if key not in self._hauls:
            self._hauls[key] = Ways(
                ((diamonds, total), splits(total, thieves, self._below))
                for diamonds in self.span.diamonds
                for total in self._totals(diamonds, emptied=emptied)
            )
        return self._hauls[key]

    def _totals(self, diamonds: int, *, emptied: bool) -> Iterable[int]:
        """Return how many such thieves can have taken of so many."""
        most, left = diamonds - self._fixed, self.span.left
        if left is None:
            return range(max(0, most) if emptied else 0, most + 1)
        return () if (emptied and left[0]) or most < left[0] else (most - left[0],)

    def numbered(self, number: int) -> tuple[int, Mapping[int, Take]]:
        """Return one theft: the diamonds in the box before it, and what each seat took, 0 being what was dismissed."""
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
    """Return the thefts, counted once for all the states that are made of one."""
    return Thefts(span)
