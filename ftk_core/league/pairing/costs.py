"""Cost of a meeting of two entries, in layers: a higher layer is never traded for a lower one.

The layers in descending order: forbidden pairs, repeats (squared number of meetings), entries of one author, short
tables, a seat that an entry has had over one time more often than another, and the squared difference in points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.pairing.field import Candidate, Field

Matrix = NDArray[np.int64]

SCALE = 256
"""Resolution of points: 256ths of a win."""
WIN = SCALE * SCALE
"""Cost of a difference of one win."""
GAP, SHORT, AUTHOR, REPEAT, FORBIDDEN = 1 << 30, 1 << 35, 1 << 40, 1 << 46, 1 << 56
"""Costs of the layers. An exchange at tables of twelve changes 22 pairs: each layer exceeds that many of the one
below."""
MOST = 7
"""Cap on the number of earlier meetings."""


class Costs:
    """Costs of meetings between the entries that play, by index in the standings."""

    def __init__(self, field: Field, playing: Sequence[Candidate]) -> None:
        self.playing = playing
        self.points: Matrix = np.array([c.points * SCALE // field.win for c in playing], dtype=np.int64)
        self.index = {candidate.entry: index for index, candidate in enumerate(playing)}
        self.layers: dict[tuple[int, int], int] = {}
        """(lower index, higher index) -> non-zero cost of all layers above points and seats."""
        for pair, cost in self._layers(field):
            self.layers[pair] = self.layers.get(pair, 0) + cost

    def _layers(self, field: Field) -> Iterator[tuple[tuple[int, int], int]]:
        for index, candidate in enumerate(self.playing):
            for entry, times in candidate.met.items():
                other = self.index.get(entry, -1)
                if index < other and times:
                    yield (index, other), REPEAT * min(times, MOST) ** 2
        for pair in field.forbidden:
            one, *others = sorted(self.index.get(entry, -1) for entry in pair)
            if others and one >= 0:
                yield (one, others[0]), FORBIDDEN
        if field.apart:
            yield from (((one, other), AUTHOR) for one, other in _siblings(self.playing))

    def matrix(self) -> Matrix:
        """Return the costs of all pairs except for seats, symmetric, with zeros on the diagonal."""
        gaps = self.points[:, None] - self.points[None, :]
        costs: Matrix = gaps * gaps
        if self.layers:
            ends = np.array(list(self.layers), dtype=np.int64)
            values = np.array(list(self.layers.values()), dtype=np.int64)
            costs[ends[:, 0], ends[:, 1]] += values
            costs[ends[:, 1], ends[:, 0]] += values
        return costs

    def forbidden_at(self, table: Sequence[int]) -> tuple[int, int] | None:
        """Return a forbidden pair among those indices, if there is one."""
        for one in table:
            for other in table:
                if one < other and self.layers.get((one, other), 0) >= FORBIDDEN:
                    return one, other
        return None


def _siblings(playing: Sequence[Candidate]) -> Iterator[tuple[int, int]]:
    by_author: dict[str, list[int]] = {}
    for index, candidate in enumerate(playing):
        if candidate.author:
            for other in by_author.setdefault(candidate.author, []):
                yield other, index
            by_author[candidate.author].append(index)


def lead(seats: Mapping[int, int]) -> int:
    """Return how much more often an entry sat first than second."""
    return seats.get(0, 0) - seats.get(1, 0)
