"""Tables of three and more: exchanges of two entries, chosen from the costs of all exchanges at once.

With ``sums[p, t]`` the cost of entry p with everybody at table t, exchanging p at a with q at b changes the whole by
``sums[p, b] + sums[q, a] - sums[p, a] - sums[q, b] - 2 * costs[p, q]``: no table is ever weighed anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.pairing.costs import AUTHOR, SEAT, SHORT, WIN, Costs, Matrix
from ftk_core.league.pairing.seats import all_content, wanted
from ftk_core.rng import Draw

Tables = NDArray[np.intp]
"""By entry: the number of its table."""

KICKS = 40
"""So often a finished grouping is disturbed and improved again, as far as the budget reaches."""
DISTURBED = 12
"""One exchange at random for so many entries, at least two."""
NEAR = 3
"""They are between tables at most so far apart in the standings."""
ATTEMPTS = 64
"""So many exchanges are tried for a table at which not everybody can have a seat they want."""


class Grouping:
    """The search for the cheapest way to sit down."""

    def __init__(self, costs: Costs, sizes: Sequence[int], games: int, budget: int) -> None:
        self._sizes, self._left = list(sizes), budget
        people, full = costs.playing, max(sizes)
        self._wishes = [[wanted(c.seats, size) for c in people] for size in range(full + 1) if size] if games else []
        self._seated = games < full
        self._costs: Matrix = costs.matrix()
        if self._seated:
            self._costs += _alike(self._wishes[full - 1], full)
        np.fill_diagonal(self._costs, 0)
        shy = np.array([SHORT * (1 + 2 * c.short) for c in people], dtype=np.int64)
        self._linear: Matrix = np.outer(shy, np.array([size < full for size in sizes], dtype=np.int64))

    def best(self, draw: Draw) -> list[list[int]]:
        """Return the groups of indices, each in the order of the standings."""
        tables: Tables = np.repeat(np.arange(len(self._sizes)), self._sizes)
        best, cost = tables, self._finished(tables)
        for _ in range(KICKS if len(self._sizes) > 1 else 0):
            if self._left <= 0:
                break
            tables = best.copy()
            self._disturb(tables, draw)
            if (value := self._finished(tables)) < cost:
                best, cost = tables, value
        return [np.flatnonzero(best == table).tolist() for table in range(len(self._sizes))]

    def _finished(self, tables: Tables) -> int:
        """Improve tables in place until no exchange helps, mend the seats, and return the cost."""
        sums = self._sums(tables)
        self._improve(tables, sums, 0)
        unhappy = 0
        if self._seated:
            unhappy = self._mend_seats(tables, sums)
            self._improve(tables, sums, AUTHOR // 2)  # what was worth it for the seats is not taken back
        own = sums[np.arange(len(tables)), tables] + self._linear[np.arange(len(tables)), tables]
        return int(own.sum()) // 2 + SEAT * unhappy

    def _sums(self, tables: Tables) -> Matrix:
        member = np.zeros((len(tables), len(self._sizes)), dtype=np.float64)
        member[np.arange(len(tables)), tables] = 1
        low, high = self._costs & 0xFFFFFFFF, self._costs >> 32
        exact = [(part.astype(np.float64) @ member).astype(np.int64) for part in (low, high)]
        return exact[0] + (exact[1] << 32) + self._linear

    def _improve(self, tables: Tables, sums: Matrix, over: int) -> None:
        """Exchange in place, whatever saves most first, as long as an exchange saves more than that."""
        everyone = np.arange(len(tables))
        while True:
            self._left -= len(tables) ** 2
            moved = sums[:, tables]
            moved -= sums[everyone, tables][:, None]
            change = moved + moved.T
            change -= 2 * self._costs
            change[tables[:, None] == tables[None, :]] = 0
            partner = change.argmin(axis=1)
            saved = change[everyone, partner]
            if saved.min() >= -over:
                return
            touched: set[int] = set()
            for one in np.argsort(saved, kind="stable").tolist():
                if saved[one] >= -over:
                    break
                other = int(partner[one])
                ends = {int(tables[one]), int(tables[other])}
                if not ends & touched:
                    touched |= ends
                    self._exchange(tables, sums, one, other)

    def _exchange(self, tables: Tables, sums: Matrix, one: int, other: int) -> None:
        a, b = tables[one], tables[other]
        difference = self._costs[:, other] - self._costs[:, one]
        sums[:, a] += difference
        sums[:, b] -= difference
        tables[one], tables[other] = b, a

    def _disturb(self, tables: Tables, draw: Draw) -> None:
        for _ in range(max(2, len(tables) // DISTURBED)):
            one = draw.below(len(tables))
            far = min(len(self._sizes) - 1, max(0, int(tables[one]) + draw.below(2 * NEAR + 1) - NEAR))
            there = np.flatnonzero(tables == far)
            other = int(there[draw.below(len(there))])
            tables[one], tables[other] = tables[other], tables[one]

    def _content(self, members: Iterable[int]) -> bool:
        people = list(members)
        return all_content([self._wishes[len(people) - 1][person] for person in people])

    def _mend_seats(self, tables: Tables, sums: Matrix) -> int:
        """Exchange in place where not everybody can have a seat they want; return at how many tables it stays so."""
        unhappy = 0
        for table in range(len(self._sizes)):
            members = np.flatnonzero(tables == table)
            if not self._content(members.tolist()) and not self._mended(tables, sums, members):
                unhappy += 1
        return unhappy

    def _mended(self, tables: Tables, sums: Matrix, members: NDArray[np.intp]) -> bool:
        everyone, table = np.arange(len(tables)), tables[members[0]]
        change = sums[members][:, tables] - sums[members, table][:, None] - 2 * self._costs[members]
        change += (sums[:, table] - sums[everyone, tables])[None, :]
        change[:, tables == table] = np.iinfo(np.int64).max
        for flat in np.argsort(change, axis=None, kind="stable")[:ATTEMPTS].tolist():
            row, other = divmod(flat, len(tables))
            if change[row, other] > WIN * len(members):
                break
            one = int(members[row])
            there = np.flatnonzero(tables == tables[other])
            here = [other if person == one else person for person in members.tolist()]
            others = [one if person == other else person for person in there.tolist()]
            if self._content(here) and (self._content(others) or not self._content(there.tolist())):
                self._exchange(tables, sums, one, other)
                return True
        return False


def _alike(wishes: Sequence[int], size: int) -> Matrix:
    """Return how much two entries want the same seats: the sum over a table is least where its wants are even."""
    wants = np.array([[wish >> seat & 1 for seat in range(size)] for wish in wishes], dtype=np.float64)
    wants /= wants.sum(axis=1, keepdims=True)
    shares: Matrix = np.rint((wants @ wants.T) * SEAT).astype(np.int64)
    return shares
