"""Match results as numpy arrays, and the order of the fitted parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.court_rating.likelihood import Ints, MatchArrayBatch, portions_of

HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""Multiplier of the hash by which matches are sorted: 2**64 divided by the golden ratio.

(D. Knuth, The Art of Computer Programming 3, 6.4.)
"""


@dataclass(frozen=True, slots=True)
class MatchArrays:
    """Results of the matches at tables of one size, as arrays."""

    versions: NDArray[np.int64]
    """Array of shape (matches, seats): number, from 0, of the bot version in each seat."""
    places: NDArray[np.int64]
    """Array of shape (matches, seats): place of each seat, from 1; equal places are a tie."""
    roles: tuple[int, ...] = ()
    """By seat: number of its role, from 0; empty in games without roles."""

    def __post_init__(self) -> None:
        if self.versions.shape != self.places.shape or self.versions.ndim != 2 or self.versions.shape[1] < 2:
            raise ValueError(f"versions of {self.versions.shape} and places of {self.places.shape} are no matches")

    @property
    def seats(self) -> int:
        """Number of seats at each table."""
        return int(self.versions.shape[1])

    def canonical(self) -> MatchArrays:
        """Return the same matches in a canonical order, independent of the input order."""
        key = np.zeros(len(self.versions), dtype=np.uint64)
        with np.errstate(over="ignore"):
            for column in (*self.versions.T, *self.places.T):
                key = (key ^ (key >> np.uint64(29)) ^ column.astype(np.uint64)) * HASH_MULTIPLIER
        order = np.argsort(key)  # equal keys mean equal matches, except for one pair in 10 to the 19
        return MatchArrays(self.versions.take(order, axis=0), self.places.take(order, axis=0), self.roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingParameterLayout:
    """Order of the fitted parameters: strengths, then effects of seats, roles and ties."""

    versions: int
    """Number of bot versions."""
    seats: Mapping[int, int]
    """Table size -> index of its first seat's parameter."""
    roles: int
    """Index of the first role's parameter."""
    first_tie: int
    """Index of the parameter for ties of two bots; parameters for larger ties follow."""
    size: int
    """Number of parameters."""
    portions: Sequence[MatchArrayBatch] = field(repr=False)


def layout_of(played: Sequence[MatchArrays], versions: int) -> RatingParameterLayout:
    """Assign an index to each fitted parameter, and convert the matches into batches that refer to these indices.

    `versions` is the number of bot versions.
    """
    at, seats = versions, dict[int, int]()
    for table in sorted({matches.seats for matches in played}):
        seats[table] = at
        at += table
    first_role = at
    at += max((max(matches.roles, default=-1) + 1 for matches in played), default=0)
    first_tie = at
    at += max((matches.seats for matches in played), default=1) - 1
    portions = list(_portions(played, seats, first_role, first_tie))
    return RatingParameterLayout(
        versions=versions, seats=seats, roles=first_role, first_tie=first_tie, size=at, portions=portions
    )


def _portions(
    played: Sequence[MatchArrays], seats: Mapping[int, int], first_role: int, first_tie: int
) -> Iterator[MatchArrayBatch]:
    for matches in sorted(played, key=lambda one: (one.seats, one.roles)):
        one = matches.canonical()
        shape = one.versions.shape
        terms: list[Ints] = [
            one.versions.astype(np.intp),
            np.broadcast_to(seats[one.seats] + np.arange(one.seats), shape),
        ]
        if one.roles:
            terms.append(np.broadcast_to(first_role + np.array(one.roles, dtype=np.intp), shape))
        yield from portions_of(one.places, terms, first_tie)
