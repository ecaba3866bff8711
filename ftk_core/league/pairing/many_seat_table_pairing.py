"""Pairing at tables of three and more, by a search that exchanges two bots at a time."""
# The search starts from tables filled in the order of the standings. Its first phase ignores the costs of seats and
# stops when no meeting is repeated and the bots of each author are apart. The second improves the tables by all costs.
# Tabu search can leave a local optimum.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ftk_core.league.pairing.entry_swap_costs import TABU_PENALTY, EntrySwapCosts, Index
from ftk_core.league.pairing.pairing_costs import GAP_COST, SAME_AUTHOR_COST, SHORT_TABLE_COST, Matrix, PairingCosts
from ftk_core.league.pairing.seat_assignment import squared_seat_excess
from ftk_core.random_streams import RandomBitStream

EXCHANGE_OVERHEAD = 10_000
"""Fixed cost of making an exchange, in pairs examined."""
SCAN_FRACTION = 16
"""Number of pairs whose costs can be scanned in the time in which the cost of one pair is computed."""
MAX_EXCHANGES_PER_ENTRY, MAX_EXCHANGES_WITHOUT_SEATS = 36, 33
"""Maximum numbers of exchanges per bot: in both phases together, and in the first phase, which ignores seats. The
budget can stop a phase earlier, but not before its first local optimum."""
SEATED_EXCHANGE_FACTOR = 3
"""Factor by which an exchange takes longer if it considers seats."""
TABU_FRACTION = 64
"""Divisor of the number of steps for which an exchanged bot must not move: 1/64 to 3/64 of the bots, plus 2."""
EMPTY_CHAIR_COST = 1 << 58
"""Cost of moving the empty last chair of a shorter table, so high that it never moves."""


class TableAssignmentSearch:
    """Search for the tables of a round with the lowest total cost."""

    # In the last chair of a table that is not full sits a dummy bot. It never moves and adds no cost: arrays stay
    # rectangular.

    def __init__(self, costs: PairingCosts, sizes: Sequence[int], games: int, budget: int) -> None:
        people, full, tables = costs.playing, max(sizes), len(sizes)
        self._entries, self._left = len(people), budget
        chairs = tables * full
        self._meetings: Matrix = np.zeros((chairs, chairs), dtype=np.int64)
        self._meetings[: len(people), : len(people)] = costs.matrix()
        np.fill_diagonal(self._meetings, 0)
        short = np.array(sizes) < full
        self._sitting: Matrix = np.zeros((tables, chairs), dtype=np.int64)
        self._sitting[short, : len(people)] = [SHORT_TABLE_COST * (1 + 2 * candidate.short) for candidate in people]
        self._sitting[:, len(people) :] = EMPTY_CHAIR_COST
        self._sitting[np.flatnonzero(short), np.arange(len(people), chairs)] = 0
        seats = np.zeros((2, full, chairs), dtype=np.int64)
        counts = [candidate.seats for candidate in people]
        seats[0, :, : len(people)] = GAP_COST * squared_seat_excess(counts, full, games)
        seats[1, :-1, : len(people)] = GAP_COST * squared_seat_excess(counts, full - 1, games)
        seats[1, -1, : len(people)] = EMPTY_CHAIR_COST
        self._seats: Matrix = seats[short.astype(np.intp)]
        self._start: Index = np.full((tables, full), -1, dtype=np.intp)
        self._start[np.arange(full) < np.array(sizes)[:, None]] = np.arange(len(people))
        self._start[self._start < 0] = np.arange(len(people), chairs)

    def best(self, draw: RandomBitStream) -> list[list[int]]:
        """Return the best tables that a search finds, each as positions in the standings, from 0."""
        chairs, steps = self._search_tables(
            self._at(self._start, None), MAX_EXCHANGES_WITHOUT_SEATS * self._entries, draw, far=False
        )
        left = (MAX_EXCHANGES_PER_ENTRY * self._entries - steps) // SEATED_EXCHANGE_FACTOR
        chairs, _ = self._search_tables(self._at(chairs, self._seats), left, draw, far=True)
        state = self._at(chairs, self._seats)
        while True:
            change, one, other = state.cheapest()
            if change >= 0:
                return [sorted(one for one in table if one < self._entries) for table in state.chairs.tolist()]
            state.exchange(one, other, (one, other))

    def _at(self, chairs: Index, seats: Matrix | None) -> EntrySwapCosts:
        nobody = np.arange(self._entries, chairs.size)
        return EntrySwapCosts(self._meetings, self._sitting, seats, chairs.copy(), nobody)

    def _search_tables(
        self, state: EntrySwapCosts, steps: int, draw: RandomBitStream, *, far: bool
    ) -> tuple[Index, int]:
        """Exchange bots to find better tables; return the best tables and the number of steps.

        Method: tabu search (Taillard, Robust taboo search for the quadratic assignment problem, 1991).
        """
        # Each step makes the cheapest exchange, even if the cost grows, to leave a local optimum. The two bots must
        # then not move for some steps, except to give the best tables so far. If `far` is False, stop without repeats
        # and author clashes.
        best, cost, least, step = state.chairs.copy(), 0, 0, 0
        tabu_until, freed = dict[int, int](), defaultdict[int, list[int]](list)
        sought = far or self._clashes(best)
        while sought:
            step += 1
            change, one, other = state.cheapest()
            if cost + change >= least:
                tabu_change, tabu_one, tabu_other = state.cheapest_tabu_exchange()
                if cost + tabu_change < least:
                    change, one, other = tabu_change, tabu_one, tabu_other
                elif change >= TABU_PENALTY // 2 or step > steps or self._spent(seated=far):
                    break
            cost += change
            until = step + 3 + self._entries // TABU_FRACTION + draw.below(1 + 2 * self._entries // TABU_FRACTION)
            tabu_until[one] = tabu_until[other] = until
            freed[until] += one, other
            state.exchange(one, other, [moved for moved in freed.pop(step + 1, ()) if tabu_until[moved] == step + 1])
            if cost < least:
                best, least = state.chairs.copy(), cost
                sought = far or self._clashes(best)
        return best, step

    def _spent(self, *, seated: bool) -> bool:
        self._left -= (EXCHANGE_OVERHEAD + self._entries**2 // SCAN_FRACTION) * (
            SEATED_EXCHANGE_FACTOR if seated else 1
        )
        return self._left < 0

    def _clashes(self, chairs: Index) -> bool:
        """Return whether a table has a repeated meeting, two bots of one author, or a forbidden pair."""
        return bool((self._meetings[chairs[:, :, None], chairs[:, None, :]] >= SAME_AUTHOR_COST).any())
