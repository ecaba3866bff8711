"""Cost change of every exchange of two entries at different tables, with optimal seats at both tables.

With ``sums[t, q]`` the cost of entry q with everybody at table t, q in the place of p costs ``sums[t, q]`` minus
``costs[p, q]``, plus the seat it then takes. Everybody at t may move for that: the cost of a chain that starts at seat
u and ends with somebody taking p's seat is a shortest path through the table's seats, and the minimum over u is exact.
So an exchange costs exactly as much as the cheapest seating of both tables, and only the rows of their players are
recomputed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.pairing.costs import Matrix
from ftk_core.league.pairing.optima import assign_seats

Index = NDArray[np.intp]

BOUND = 1 << 61
"""Added to the cost of an exchange, once for each of the two that must not move now."""


class Exchanges:
    """Current tables with cheapest seats, and the cost of each exchange."""

    def __init__(self, meetings: Matrix, sitting: Matrix, seats: Matrix | None, chairs: Index, still: Index) -> None:
        """Store the costs, the seating, and the entries that never move.

        `meetings` are costs (entries x entries), `sitting` those of sitting at a table (tables x entries), and `seats`
        those of a seat (tables x seats x entries; None if seats do not matter). Each exchange updates the seating
        `chairs` (tables x seats).
        """
        self._meetings, self._seats, self.chairs = meetings, seats, chairs
        entries = len(meetings)
        self.table: Index = np.empty(entries, dtype=np.intp)
        self.table[chairs] = np.arange(len(chairs))[:, None]
        self._sums: Matrix = sitting + np.array([meetings[table].sum(axis=0) for table in chairs])
        self._instead: Matrix = np.empty((entries, entries), dtype=np.int64)
        """[p, q]: cost of q taking p's place at its table; [p, p]: cost of p where it is."""
        self._bound: Matrix = np.zeros(entries, dtype=np.int64)
        self._bound[still] = BOUND
        self.change: Matrix = np.empty((entries, entries), dtype=np.int64)
        """[p, q]: cost change of their exchange, plus `BOUND` for each that must not move."""
        self._settle(np.arange(len(chairs)), [])

    def exchange(self, one: int, other: int, freed: Sequence[int] = ()) -> None:
        """Exchange two entries of different tables; they become bound, and the `freed` may move again."""
        here, there = int(self.table[one]), int(self.table[other])
        difference = self._meetings[other] - self._meetings[one]
        self._sums[here] += difference
        self._sums[there] -= difference
        for table, left, came in ((here, one, other), (there, other, one)):
            chairs = self.chairs[table]
            chairs[chairs == left] = came
            self.table[came] = table
            self._bound[came] = BOUND
        for entry in freed:
            self._bound[entry] = 0
        self._settle(np.array([here, there]), freed)

    def cheapest(self) -> tuple[int, int, int]:
        """Return the cost change of the best exchange, and its two entries."""
        one, other = divmod(int(self.change.argmin()), len(self.change))
        return int(self.change[one, other]), one, other

    def cheapest_of_bound(self) -> tuple[int, int, int]:
        """Return the same among exchanges that involve a bound entry."""
        bound = self._bound.nonzero()[0]
        if not len(bound):
            return BOUND, 0, 0
        rows = self.change[bound]
        row, other = divmod(int(rows.argmin()), len(self.change))
        return int(rows[row, other]) - BOUND, int(bound[row]), other

    def _settle(self, tables: Index, freed: Sequence[int]) -> None:
        """Seat these tables as cheaply as possible, and recompute the exchanges of their players and of the freed."""
        instead = self._sums[tables][:, None, :]
        if self._seats is not None:
            instead = instead + self._seated(self._seats[tables], tables)
        chairs = self.chairs[tables]
        members = chairs.ravel()
        self._instead[members] = (instead - self._meetings[chairs]).reshape(len(members), -1)
        self._price(np.array([*members.tolist(), *freed]))

    def _seated(self, seats: Matrix, tables: Index) -> Matrix:
        """Seat these tables; return the seat cost of putting an entry in the place of each chair's."""
        for table, wishes in zip(tables.tolist(), seats, strict=True):
            people = self.chairs[table].copy()
            self.chairs[table] = people[assign_seats(wishes[:, people].T)]
        paid = np.take_along_axis(seats, self.chairs[tables][:, None, :], axis=2)  # [t, s, u]: the player of u, in s
        way = (paid - paid.diagonal(axis1=1, axis2=2)[:, None, :]).transpose(0, 2, 1)  # [t, u, s]
        for _ in range((seats.shape[1] - 1).bit_length()):
            way = (way.transpose(2, 0, 1)[:, :, :, None] + way.transpose(1, 0, 2)[:, :, None, :]).min(axis=0)
        first = seats.transpose(1, 0, 2)[:, :, None, :]
        taking: Matrix = (first + way.transpose(1, 0, 2)[:, :, :, None]).min(axis=0)
        return taking

    def _price(self, members: Index) -> None:
        change = self._instead[members] + self._instead[:, members].T
        paid = self._instead.diagonal() - self._bound
        change -= paid[members][:, None]
        change -= paid
        change[self.table[members][:, None] == self.table] = BOUND
        self.change[members] = change
        self.change[:, members] = change.T
