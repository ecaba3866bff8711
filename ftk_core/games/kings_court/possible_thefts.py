"""Possible sequences of thefts, numbered so that a random number selects a sequence."""
# There are too many sequences to list them. They are counted first by the kind of thing that each player takes, then by
# the number of diamonds that each thief takes.

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Generic, TypeVar

import msgspec

from ftk_core.game import replace_at
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox
from ftk_core.games.kings_court.roles_and_options import CARDS, THIEF, URCHIN

T = TypeVar("T")
Counts = tuple[int, ...]
"""Number of cards of each kind, in the order of `CARDS`."""
Share = tuple[str, bool]
"""Things that a seat takes, as (kind, True if the fake diamond is among them).

The kind is the name of a card, `THIEF` for diamonds, or `URCHIN` for neither a card nor diamonds.
"""
TheftState = tuple[int, Counts, bool, int, bool]
"""State of the box before a seat's turn, as a tuple of five parts.

The parts are: the index of the seat in `PublicKnowledgeAboutNeighbours.chairs`; the cards in the box; True if the fake
diamond is in the box; the number of thieves so far who took an unknown number of diamonds; True if a seat found the box
empty.
"""
NOTHING: Share = (URCHIN, False)
SHARES: tuple[Share, ...] = (
    *((card, False) for card in CARDS),
    (THIEF, False),
    (THIEF, True),
    (URCHIN, True),
    NOTHING,
)


class PublicKnowledgeAboutTheft(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that all players know about what one player took."""

    # Also used for the card that the first player may have removed from the box (seat 0).

    seat: int
    """Seat number; 0 for the card that the first player may have turned over (dismissed)."""
    shares: tuple[Share, ...]
    """Things that the seat may have taken."""
    diamonds: int | None = None
    """Number of diamonds that the seat took if it is a Thief; None if unknown."""
    below: int = 99
    """Exclusive upper bound for an unknown number of diamonds."""
    refusing: bool = False
    """True if the seat was allowed to take nothing although the box was not empty, as the last seat is (K5)."""


class PublicKnowledgeAboutNeighbours(msgspec.Struct, frozen=True, kw_only=True):
    """Knowledge about consecutive turns with the box: the thefts, and the contents before and after all of them."""

    chairs: tuple[PublicKnowledgeAboutTheft, ...]
    cards: Counts
    fake: bool
    diamonds: tuple[int, ...]
    """Possible numbers of diamonds in the box before these seats."""
    left: tuple[int, Counts, bool] | None = None
    """Contents of the box after these seats: diamonds, cards, and whether the fake is there; None if unknown."""


class ContinuationWeightedChoices(Generic[T]):
    """Choices for one step of a random sequence, each weighted by the number of sequences that begin with it."""

    # All continuations are numbered from 0 to `count` - 1, choice by choice. So a random number selects a choice with
    # the right probability.

    __slots__ = ("_choices", "_sums", "count")

    def __init__(self, choices: Iterable[tuple[T, int]]) -> None:
        counted = [(choice, count) for choice, count in choices if count]
        self._choices = [choice for choice, _ in counted]
        self._sums = list(accumulate((count for _, count in counted), initial=0))
        self.count = self._sums[-1]

    def find(self, number: int) -> tuple[T, int]:
        """Return the choice that has continuation `number`, and this continuation's number within the choice.

        Both numbers start at 0. If two choices have 3 and 2 continuations, number 4 is number 1 of the second choice.
        """
        at = bisect_right(self._sums, number) - 1
        return self._choices[at], number - self._sums[at]


@lru_cache(maxsize=1 << 12)
def count_splits(total: int, thieves: int, below: int) -> int:
    """Count the ways in which thieves can have taken `total` diamonds together.

    Each took at least one diamond and fewer than `below`.
    """
    if not thieves:
        return int(not total)
    return sum(count_splits(total - diamonds, thieves - 1, below) for diamonds in range(1, min(total, below - 1) + 1))


@lru_cache(maxsize=1 << 12)
def _count_ways_by_first_theft(total: int, thieves: int, below: int) -> ContinuationWeightedChoices[int]:
    """Return the possible numbers of diamonds of the first thief, weighted by the ways to divide the rest."""
    # Each thief takes at least one diamond and fewer than `below`; all together take `total`.
    return ContinuationWeightedChoices(
        (diamonds, count_splits(total - diamonds, thieves - 1, below))
        for diamonds in range(1, min(total, below - 1) + 1)
    )


class PossibleThefts:
    """All possible sequences of thefts by neighbouring players, numbered from 0."""

    def __init__(self, span: PublicKnowledgeAboutNeighbours) -> None:
        self.span = span
        self._below = min((chair.below for chair in span.chairs), default=99)
        self._fixed = sum(chair.diamonds or 0 for chair in span.chairs)
        self._known: dict[TheftState, ContinuationWeightedChoices[tuple[Share, TheftState]]] = {}
        self._hauls: dict[tuple[int, bool], ContinuationWeightedChoices[tuple[int, int]]] = {}
        self._start: TheftState = (0, span.cards, span.fake, 0, False)
        self.count = self._count(self._start)

    def _count(self, spot: TheftState) -> int:
        """Return the number of ways in which the remaining players can steal if the box is now in the state `spot`."""
        if spot[0] < len(self.span.chairs):
            return self._after(spot).count
        _, cards, fake, thieves, emptied = spot
        if self.span.left is not None and self.span.left[1:] != (cards, fake):
            return 0
        return self._diamond_totals_of(thieves, emptied=emptied).count

    def _after(self, spot: TheftState) -> ContinuationWeightedChoices[tuple[Share, TheftState]]:
        """Return the choices of the next player, each with the state of the box afterwards."""
        # A choice counts the possible sequences of thefts by the players after this one.
        if spot not in self._known:
            self._known[spot] = ContinuationWeightedChoices((way, self._count(way[1])) for way in self._allowed(*spot))
        return self._known[spot]

    def _allowed(
        self,
        at: int,
        cards: Counts,
        fake: bool,
        thieves: int,
        emptied: bool,
    ) -> Iterator[tuple[Share, TheftState]]:
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
                left = replace_at(cards, kind, cards[kind] - 1)
            more = thieves + (name == THIEF and chair.diamonds is None)
            gone = emptied or (share == NOTHING and not chair.refusing)
            yield share, (at + 1, left, fake and not with_fake, more, gone)

    def _diamond_totals_of(self, thieves: int, *, emptied: bool) -> ContinuationWeightedChoices[tuple[int, int]]:
        """Return the possible pairs (diamonds in the box before all thefts, total of the unknown thefts).

        `thieves` is the number of players who each stole an unknown number of diamonds.
        """
        # A pair counts the ways to divide the stolen diamonds.
        key = thieves, emptied
        if key not in self._hauls:
            self._hauls[key] = ContinuationWeightedChoices(
                ((diamonds, total), count_splits(total, thieves, self._below))
                for diamonds in self.span.diamonds
                for total in self._totals(diamonds, emptied=emptied)
            )
        return self._hauls[key]

    def _totals(self, diamonds: int, *, emptied: bool) -> Iterable[int]:
        """Return the possible totals of diamonds in the thefts of unknown size."""
        # `diamonds` is the number in the box at first. `emptied` is True if a player found the box empty.
        most, left = diamonds - self._fixed, self.span.left
        if left is None:
            return range(max(0, most) if emptied else 0, most + 1)
        return () if (emptied and left[0]) or most < left[0] else (most - left[0],)

    def numbered(self, number: int) -> tuple[int, Mapping[int, ItemsTakenFromBox]]:
        """Return the sequence with this number, as (diamonds in the box before all thefts, things taken by seat)."""
        # The key 0 holds the card that the first player removed from the box.
        spot, shares = self._start, list[Share]()
        for _ in self.span.chairs:
            (share, spot), number = self._after(spot).find(number)
            shares.append(share)
        thieves = spot[3]
        (diamonds, total), number = self._diamond_totals_of(thieves, emptied=spot[4]).find(number)
        takes = dict[int, ItemsTakenFromBox]()
        for chair, (name, with_fake) in zip(self.span.chairs, shares, strict=True):
            diamonds_taken = 0
            if name == THIEF:
                diamonds_taken = chair.diamonds or 0
                if chair.diamonds is None:
                    diamonds_taken, number = _count_ways_by_first_theft(total, thieves, self._below).find(number)
                    total, thieves = total - diamonds_taken, thieves - 1
            takes[chair.seat] = ItemsTakenFromBox(diamonds_taken, name if name in CARDS else None, with_fake)
        return diamonds, takes


@lru_cache(64)
def possible_thefts_of(span: PublicKnowledgeAboutNeighbours) -> PossibleThefts:
    """Return the possible thefts of neighbouring players."""
    # Cached for repeated samples of one game state.
    return PossibleThefts(span)
