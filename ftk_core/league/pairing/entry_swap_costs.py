"""Cost changes if two bots at different tables are exchanged, with the cheapest seating at each table."""
# Matrices hold the costs of meetings and seats. An exchange changes only the rows of the bots at two tables. Meetings:
# let ``sums[t, q]`` be the cost of bot q meeting everybody at table t. If q replaces p at t, the cost is ``sums[t, q] -
# costs[p, q]``. Seats: q can take the seat of another bot, which takes the seat of a third, and so on, until one takes
# the seat of p. The cheapest such sequence is a shortest path through the seats. The minimum over all seats that q can
# take is the exact cost of the best seating.

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.pairing.deterministic_graph_matching import assign_seats
from ftk_core.league.pairing.pairing_costs import Matrix

Index = NDArray[np.intp]

TABU_PENALTY = 1 << 61
"""Amount added to the cost of an exchange for each of its two bots that is tabu (must not move now)."""


class EntrySwapCosts:
    """Current tables with their cheapest seating, and the cost change of every exchange of two bots."""

    def __init__(self, meetings: Matrix, sitting: Matrix, seats: Matrix | None, chairs: Index, still: Index) -> None:
        """Store the costs, the seats of the bots, and the bots that never move.

        * `meetings` (bots x bots): cost of two bots at the same table
        * `sitting` (tables x bots): cost of a bot at a table, in any seat
        * `seats` (tables x seats x bots): additional cost of a seat, or None
        * `chairs` (tables x seats): the bot in each seat; each exchange updates it
        """
        self._meetings, self._seats, self.chairs = meetings, seats, chairs
        entries = len(meetings)
        self.table: Index = np.empty(entries, dtype=np.intp)
        self.table[chairs] = np.arange(len(chairs))[:, None]
        self._sums: Matrix = sitting + np.array([meetings[table].sum(axis=0) for table in chairs])
        self._instead: Matrix = np.empty((entries, entries), dtype=np.int64)
        """[p, q]: cost of q taking the place of p at the table of p; [p, p]: cost of p at its present place."""
        self._tabu_penalty: Matrix = np.zeros(entries, dtype=np.int64)
        self._tabu_penalty[still] = TABU_PENALTY
        self.change: Matrix = np.empty((entries, entries), dtype=np.int64)
        """[p, q]: cost change if p and q are exchanged, plus `TABU_PENALTY` for each of them that must not move.

        `TABU_PENALTY` alone if p and q sit at the same table.
        """
        self._settle(np.arange(len(chairs)), [])

    def exchange(self, one: int, other: int, freed: Sequence[int] = ()) -> None:
        """Exchange two bots of different tables, and forbid both to move again for now.

        The bots in `freed` may move again.
        """
        own_table, other_table = int(self.table[one]), int(self.table[other])
        difference = self._meetings[other] - self._meetings[one]
        self._sums[own_table] += difference
        self._sums[other_table] -= difference
        for table, left, came in ((own_table, one, other), (other_table, other, one)):
            chairs = self.chairs[table]
            chairs[chairs == left] = came
            self.table[came] = table
            self._tabu_penalty[came] = TABU_PENALTY
        for entry in freed:
            self._tabu_penalty[entry] = 0
        self._settle(np.array([own_table, other_table]), freed)

    def cheapest(self) -> tuple[int, int, int]:
        """Return the cheapest exchange as (cost change, bot, bot)."""
        # The change includes `TABU_PENALTY` for each bot that must not move now, so such an exchange is only returned
        # if no other is possible.
        one, other = divmod(int(self.change.argmin()), len(self.change))
        return int(self.change[one, other]), one, other

    def cheapest_tabu_exchange(self) -> tuple[int, int, int]:
        """Return the cheapest exchange of a tabu bot, as (cost change, bot, other bot)."""
        # Tabu search forbids to move a bot (makes it tabu) for some steps, unless the result is the best so far.
        # The penalty of one tabu bot is not included. If no bot is tabu, the cost change is `TABU_PENALTY`, which is
        # too high for any search to make the exchange.
        tabu = self._tabu_penalty.nonzero()[0]
        if not len(tabu):
            return TABU_PENALTY, 0, 0
        changes = self.change[tabu]
        tabu_index, other = divmod(int(changes.argmin()), len(self.change))
        return int(changes[tabu_index, other]) - TABU_PENALTY, int(tabu[tabu_index]), other

    def _settle(self, tables: Index, freed: Sequence[int]) -> None:
        """Seat the given tables as cheaply as possible, then update the cost changes."""
        # Only exchanges with a bot of these tables, or with a bot in `freed`, are computed again.
        instead = self._sums[tables][:, None, :]
        if self._seats is not None:
            instead = instead + self._seated(self._seats[tables], tables)
        chairs = self.chairs[tables]
        members = chairs.ravel()
        self._instead[members] = (instead - self._meetings[chairs]).reshape(len(members), -1)
        self._price(np.array([*members.tolist(), *freed]))

    def _seated(self, seats: Matrix, tables: Index) -> Matrix:
        """Seat the bots of the given tables as cheaply as possible, and return the seat costs after replacements.

        Element [t, s, q] is the seat cost at table t after bot q has replaced the bot in seat s.
        """
        # After a replacement, all bots of the table are again seated as cheaply as possible.
        for table, wishes in zip(tables.tolist(), seats, strict=True):
            people = self.chairs[table].copy()
            self.chairs[table] = people[assign_seats(wishes[:, people].T)]
        paid = np.take_along_axis(seats, self.chairs[tables][:, None, :], axis=2)  # [t, s, u]: holder of u, in s
        way = (paid - paid.diagonal(axis1=1, axis2=2)[:, None, :]).transpose(0, 2, 1)  # [t, u, s]: u to s
        for _ in range((seats.shape[1] - 1).bit_length()):
            way = (way.transpose(2, 0, 1)[:, :, :, None] + way.transpose(1, 0, 2)[:, :, None, :]).min(axis=0)
        first = seats.transpose(1, 0, 2)[:, :, None, :]
        taking: Matrix = (first + way.transpose(1, 0, 2)[:, :, :, None]).min(axis=0)
        return taking

    def _price(self, members: Index) -> None:
        change = self._instead[members] + self._instead[:, members].T
        paid = self._instead.diagonal() - self._tabu_penalty
        change -= paid[members][:, None]
        change -= paid
        change[self.table[members][:, None] == self.table] = TABU_PENALTY
        self.change[members] = change
        self.change[:, members] = change.T
