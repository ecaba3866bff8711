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

OVERHEAD = 10_000
"""Looking at all exchanges at once costs as much as so many pairs more, however few there are."""
WALK = 40
"""So many exchanges for each entry are made beyond the first optimum, as far as the budget reaches."""
STAY = 32
"""Whoever was exchanged stays for a 32nd to three 32nds as many steps as there are entries, and two more."""
FAR = np.iinfo(np.int64).max
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
        self._twice: Matrix = 2 * self._costs
        shy = np.array([SHORT * (1 + 2 * c.short) for c in people], dtype=np.int64)
        self._linear: Matrix = np.outer(shy, np.array([size < full for size in sizes], dtype=np.int64))

    def best(self, draw: Draw) -> list[list[int]]:
        """Return the groups of indices, each in the order of the standings."""
        tables: Tables = np.repeat(np.arange(len(self._sizes)), self._sizes)
        sums = self._sums(tables)
        self._improve(tables, sums, 0)
        if len(self._sizes) > 1:
            tables = self._walk(tables, sums, draw)
            sums = self._sums(tables)
            self._improve(tables, sums, 0)
        if self._seated:
            self._mend_seats(tables, sums)
            self._improve(tables, sums, AUTHOR // 2)  # what was worth it for the seats is not taken back
        return [np.flatnonzero(tables == table).tolist() for table in range(len(self._sizes))]

    def _walk(self, tables: Tables, sums: Matrix, draw: Draw) -> Tables:
        """Walk on past optima, and return the best tables met: each step is the best exchange of whoever is free.

        Whoever was exchanged is not free for some steps, unless that led to tables better than any before
        (tabu search: Taillard, Robust taboo search for the quadratic assignment problem, 1991).
        """
        entries = len(tables)
        best, cost, least = tables.copy(), 0, 0
        free_at = np.zeros(entries, dtype=np.int64)
        for step in range(WALK * entries):
            if self._left <= 0:
                break
            change = self._changes(tables, sums)
            change[tables[:, None] == tables[None, :]] = FAR
            flat = int(change.argmin())
            if cost + int(change.flat[flat]) >= least:
                bound = free_at > step
                change[bound, :] = FAR
                change[:, bound] = FAR
                flat = int(change.argmin())
            one, other = divmod(flat, entries)
            cost += int(change[one, other])
            if change[one, other] == FAR:
                break
            self._exchange(tables, sums, one, other)
            for moved in (one, other):
                free_at[moved] = step + 2 + entries // STAY + draw.below(1 + 2 * entries // STAY)
            if cost < least:
                best, least = tables.copy(), cost
        return best

    def _changes(self, tables: Tables, sums: Matrix) -> Matrix:
        """Return what each exchange of two entries would add to the cost."""
        self._left -= len(tables) ** 2 + OVERHEAD
        moved = sums[:, tables]
        moved -= sums[np.arange(len(tables)), tables][:, None]
        change: Matrix = moved + moved.T
        change -= self._twice
        return change

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
            change = self._changes(tables, sums)
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

    def _content(self, members: Iterable[int]) -> bool:
        people = list(members)
        return all_content([self._wishes[len(people) - 1][person] for person in people])

    def _mend_seats(self, tables: Tables, sums: Matrix) -> None:
        """Exchange in place where not everybody can have a seat they want."""
        for table in range(len(self._sizes)):
            members = np.flatnonzero(tables == table)
            if not self._content(members.tolist()):
                self._mend(tables, sums, members)

    def _mend(self, tables: Tables, sums: Matrix, members: NDArray[np.intp]) -> None:
        everyone, table = np.arange(len(tables)), tables[members[0]]
        change = sums[members][:, tables] - sums[members, table][:, None] - self._twice[members]
        change += (sums[:, table] - sums[everyone, tables])[None, :]
        change[:, tables == table] = FAR
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
                return


def _alike(wishes: Sequence[int], size: int) -> Matrix:
    """Return how much two entries want the same seats: the sum over a table is least where its wants are even."""
    wants = np.array([[wish >> seat & 1 for seat in range(size)] for wish in wishes], dtype=np.float64)
    wants /= wants.sum(axis=1, keepdims=True)
    shares: Matrix = np.rint((wants @ wants.T) * SEAT).astype(np.int64)
    return shares
