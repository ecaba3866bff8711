"""The thefts that can have been: counted, and drawn each as likely as any other.

Seat by seat something is taken: a card, diamonds with the fake or without, the fake alone, or nothing. How many
diamonds a thief took matters to nobody but in the sum, so that it is drawn last: on the way only thieves are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

import msgspec

from ftk_core.game import put
from ftk_core.games.kings_court.box import CARDS, THIEF, URCHIN
from ftk_core.games.kings_court.claims import Take
from ftk_core.rng import Draw

T = TypeVar("T")
Counts = tuple[int, ...]
"""How many cards of each kind there are, by `CARDS`."""
Share = tuple[str, bool]
"""What a seat can take: a card's name, `THIEF` or `URCHIN`, which is nothing; and whether the fake is with it."""
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


@lru_cache(maxsize=1 << 12)
def splits(total: int, thieves: int, below: int) -> int:
    """Return in how many ways so many thieves can share so many diamonds, each at least one and less than a bound."""
    if not thieves:
        return int(not total)
    return sum(splits(total - taken, thieves - 1, below) for taken in range(1, min(total, below - 1) + 1))


class Thefts:
    """All that can have happened in a span."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self._below = min((chair.below for chair in span.chairs), default=99)
        self._fixed = sum(chair.diamonds or 0 for chair in span.chairs)
        self._known: dict[tuple[int, Counts, bool, int, bool], int] = {}
        self.count = self._after(0, span.cards, span.fake, 0, emptied=False)

    def _after(self, at: int, cards: Counts, fake: bool, thieves: int, *, emptied: bool) -> int:
        """Return in how many ways it can have gone on, with so many thieves before and perhaps an empty box."""
        key = at, cards, fake, thieves, emptied
        if key not in self._known:
            if at == len(self.span.chairs):
                self._known[key] = self._ended(cards, fake, thieves, emptied=emptied)
            else:
                self._known[key] = sum(count for *_, count in self.ways(at, cards, fake, thieves, emptied=emptied))
        return self._known[key]

    def ways(
        self, at: int, cards: Counts, fake: bool, thieves: int, *, emptied: bool
    ) -> list[tuple[Share, Counts, bool, int, bool, int]]:
        """Return what a seat can have taken, with what is then, and in how many ways it can have gone on."""
        chair, found = self.span.chairs[at], list[tuple[Share, Counts, bool, int, bool, int]]()
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
            rest = left, fake and not with_fake, more
            if count := self._after(at + 1, *rest, emptied=gone):
                found.append((share, *rest, gone, count))
        return found

    def _ended(self, cards: Counts, fake: bool, thieves: int, *, emptied: bool) -> int:
        if self.span.left is not None and self.span.left[1:] != (cards, fake):
            return 0
        return sum(count for *_, count in self.hauls(thieves, emptied=emptied))

    def hauls(self, thieves: int, *, emptied: bool) -> list[tuple[int, int, int]]:
        """Return (diamonds before, taken by thieves of whom it is not known how many, in how many ways)."""
        found = list[tuple[int, int, int]]()
        for diamonds in self.span.diamonds:
            most = diamonds - self._fixed
            if self.span.left is not None:
                totals = range(most - self.span.left[0], most - self.span.left[0] + 1)
            else:
                totals = range(most if emptied else 0, most + 1)
            if emptied and self.span.left is not None and self.span.left[0]:
                continue
            found += [
                (diamonds, total, n) for total in totals if total >= 0 and (n := splits(total, thieves, self._below))
            ]
        return found

    def drawn(self, draw: Draw) -> tuple[int, Mapping[int, Take]]:
        """Return one theft: the diamonds in the box before it, and what each seat took, 0 being what was dismissed."""
        cards, fake, thieves, emptied = self.span.cards, self.span.fake, 0, False
        shares = list[Share]()
        for at in range(len(self.span.chairs)):
            ways = self.ways(at, cards, fake, thieves, emptied=emptied)
            share, cards, fake, thieves, emptied, _ = counted(draw, ways, lambda way: way[-1])
            shares.append(share)
        diamonds, total, _ = counted(draw, self.hauls(thieves, emptied=emptied), lambda haul: haul[-1])
        takes = dict[int, Take]()
        for chair, (name, with_fake) in zip(self.span.chairs, shares, strict=True):
            taken = 0
            if name == THIEF:
                taken = chair.diamonds or 0
                if chair.diamonds is None:
                    taken, thieves = self._haul(draw, total, thieves), thieves - 1
                    total -= taken
            takes[chair.seat] = Take(taken, name if name in CARDS else None, with_fake)
        return diamonds, takes

    def _haul(self, draw: Draw, total: int, thieves: int) -> int:
        """Return what the first of so many thieves took of all that they took."""
        return counted(
            draw, range(1, min(total, self._below - 1) + 1), lambda n: splits(total - n, thieves - 1, self._below)
        )


def counted(draw: Draw, choices: Sequence[T], count: Callable[[T], int]) -> T:
    """Return one of the choices, each as likely as its count says."""
    counts = [count(choice) for choice in choices]
    point = _below(draw, sum(counts))
    for choice, number in zip(choices, counts, strict=True):
        point -= number
        if point < 0:
            return choice
    raise AssertionError("counts that do not add up")


def _below(draw: Draw, bound: int) -> int:
    """Return a uniform integer below a bound of any size."""
    words = (bound.bit_length() + 31) // 32 or 1
    while True:
        number = 0
        for _ in range(words):
            number = number << 32 | draw.below(1 << 32)
        limit = (1 << 32 * words) - (1 << 32 * words) % bound
        if number < limit:
            return number % bound


@lru_cache(64)
def thefts_of(span: Span) -> Thefts:
    """Return the thefts, counted once for all the states that are made of one."""
    return Thefts(span)
