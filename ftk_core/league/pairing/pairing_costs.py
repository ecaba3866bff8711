"""Costs of seating bots at the same table. The pairing minimizes their sum.

From the highest to the lowest: forbidden pairs, repeated meetings, pairs of one author, tables that are not full,
unequal use of seats, differences in points.
"""
# One unit of a layer costs at least 22 times as much as one unit of the next lower layer. Repeated meetings and
# differences in points are squared. Seat gaps (most used seat minus least used seat) count above one.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.pairing.pairing_input_and_output import PairingCandidate, PairingInput

Matrix = NDArray[np.int64]

STEPS_PER_WIN = 256
"""Resolution of points: 256ths of a win."""
GAP_COST, SHORT_TABLE_COST, SAME_AUTHOR_COST, REPEAT_COST, FORBIDDEN_COST = 1 << 30, 1 << 35, 1 << 40, 1 << 46, 1 << 56
"""Costs of one unit in each layer, lowest layer first. `GAP_COST` is for the squared excess of a seat gap above one.

Each cost is more than 22 times the previous one, because an exchange of two bots changes up to 22 pairs.
"""
MAX_COUNTED_MEETINGS = 7
"""Number of earlier meetings of a pair beyond which its cost does not grow."""


class PairingCosts:
    """Costs of all possible meetings in a round, by position in the standings."""

    def __init__(self, problem: PairingInput, playing: Sequence[PairingCandidate]) -> None:
        self.playing = playing
        self.points: Matrix = np.array([c.points * STEPS_PER_WIN // problem.win for c in playing], dtype=np.int64)
        self.index = {candidate.entry: index for index, candidate in enumerate(playing)}
        self.layers: dict[tuple[int, int], int] = {}
        """(lower index, higher index) -> cost of a pair that is forbidden, has met before, or has the same author."""
        for pair, cost in self._layers(problem):
            self.layers[pair] = self.layers.get(pair, 0) + cost

    def _layers(self, problem: PairingInput) -> Iterator[tuple[tuple[int, int], int]]:
        for index, candidate in enumerate(self.playing):
            for entry, times in candidate.met.items():
                other = self.index.get(entry, -1)
                if index < other and times:
                    yield (index, other), REPEAT_COST * min(times, MAX_COUNTED_MEETINGS) ** 2
        for pair in problem.forbidden:
            one, *others = sorted(self.index.get(entry, -1) for entry in pair)
            if others and one >= 0:
                yield (one, others[0]), FORBIDDEN_COST
        if problem.apart:
            yield from (((one, other), SAME_AUTHOR_COST) for one, other in _siblings(self.playing))

    def matrix(self) -> Matrix:
        """Return the costs of all meetings as a symmetric matrix, without the costs of seats."""
        gaps = self.points[:, None] - self.points[None, :]
        costs: Matrix = gaps * gaps
        if self.layers:
            ends = np.array(list(self.layers), dtype=np.int64)
            values = np.array(list(self.layers.values()), dtype=np.int64)
            costs[ends[:, 0], ends[:, 1]] += values
            costs[ends[:, 1], ends[:, 0]] += values
        return costs

    def forbidden_at(self, table: Sequence[int]) -> tuple[int, int] | None:
        """Return the indices of two bots of a table that must not meet, or None."""
        for one in table:
            for other in table:
                if one < other and self.layers.get((one, other), 0) >= FORBIDDEN_COST:
                    return one, other
        return None


def _siblings(playing: Sequence[PairingCandidate]) -> Iterator[tuple[int, int]]:
    by_author: dict[str, list[int]] = {}
    for index, candidate in enumerate(playing):
        if candidate.author:
            for other in by_author.setdefault(candidate.author, []):
                yield other, index
            by_author[candidate.author].append(index)


def first_seat_lead(seats: Mapping[int, int]) -> int:
    """Return how much more often a bot sat first than second."""
    return seats.get(0, 0) - seats.get(1, 0)
