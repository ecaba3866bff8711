"""Tables of three and more: local search by exchanges, starting from the standings, continued by tabu search.

The first phase only considers the opponents, until there are no repeats and authors are apart. The second phase weighs
everything, each exchange with the seats it leaves at both tables. It starts where the first ended, and keeps the best.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ftk_core.league.pairing.costs import AUTHOR, GAP, SHORT, Costs, Matrix
from ftk_core.league.pairing.exchanges import BOUND, Exchanges, Index
from ftk_core.league.pairing.seats import above_one
from ftk_core.rng import Draw

OVERHEAD = 10_000
"""Fixed cost of making an exchange, in pairs examined."""
SHARE = 16
"""Scanning all pairs costs 1/16 of computing them, since they are only compared."""
WALK, ALONE = 36, 33
"""Maximum number of exchanges per entry, in total and without considering seats, as far as the budget reaches; the
first optimum is always reached."""
SEATED = 3
"""Cost factor of an exchange that considers seats."""
STAY = 64
"""An exchanged entry is bound for 1/64 to 3/64 as many steps as there are entries, plus two."""
NOBODY = 1 << 58
"""Prohibitive cost of moving the empty chair of a shorter table."""


class Grouping:
    """Search for the cheapest seating.

    The last chair of a shorter table holds a dummy entry that costs nothing and never moves.
    """

    def __init__(self, costs: Costs, sizes: Sequence[int], games: int, budget: int) -> None:
        people, full, tables = costs.playing, max(sizes), len(sizes)
        self._entries, self._left = len(people), budget
        chairs = tables * full
        self._meetings: Matrix = np.zeros((chairs, chairs), dtype=np.int64)
        self._meetings[: len(people), : len(people)] = costs.matrix()
        np.fill_diagonal(self._meetings, 0)
        short = np.array(sizes) < full
        self._sitting: Matrix = np.zeros((tables, chairs), dtype=np.int64)
        self._sitting[short, : len(people)] = [SHORT * (1 + 2 * candidate.short) for candidate in people]
        self._sitting[:, len(people) :] = NOBODY
        self._sitting[np.flatnonzero(short), np.arange(len(people), chairs)] = 0
        seats = np.zeros((2, full, chairs), dtype=np.int64)
        counts = [candidate.seats for candidate in people]
        seats[0, :, : len(people)] = GAP * above_one(counts, full, games)
        seats[1, :-1, : len(people)] = GAP * above_one(counts, full - 1, games)
        seats[1, -1, : len(people)] = NOBODY
        self._seats: Matrix = seats[short.astype(np.intp)]
        self._start: Index = np.full((tables, full), -1, dtype=np.intp)
        self._start[np.arange(full) < np.array(sizes)[:, None]] = np.arange(len(people))
        self._start[self._start < 0] = np.arange(len(people), chairs)

    def best(self, draw: Draw) -> list[list[int]]:
        """Return the groups of indices, each in the order of the standings."""
        chairs, steps = self._walked(self._at(self._start, None), ALONE * self._entries, draw, far=False)
        left = (WALK * self._entries - steps) // SEATED
        chairs, _ = self._walked(self._at(chairs, self._seats), left, draw, far=True)
        state = self._at(chairs, self._seats)
        while True:
            change, one, other = state.cheapest()
            if change >= 0:
                return [sorted(one for one in table if one < self._entries) for table in state.chairs.tolist()]
            state.exchange(one, other, (one, other))

    def _at(self, chairs: Index, seats: Matrix | None) -> Exchanges:
        nobody = np.arange(self._entries, chairs.size)
        return Exchanges(self._meetings, self._sitting, seats, chairs.copy(), nobody)

    def _walked(self, state: Exchanges, steps: int, draw: Draw, *, far: bool) -> tuple[Index, int]:
        """Continue past local optima; return the best tables found, and the number of steps.

        Each step makes the best exchange of free entries. Exchanged entries are bound for some steps, unless an
        exchange leads to the best tables so far (tabu search: Taillard, Robust taboo search for the quadratic
        assignment problem, 1991). Unless `far`, it stops when there are no clashes.
        """
        best, cost, least, step = state.chairs.copy(), 0, 0, 0
        bound_until, freed = dict[int, int](), defaultdict[int, list[int]](list)
        sought = far or self._clashes(best)
        while sought:
            step += 1
            change, one, other = state.cheapest()
            if cost + change >= least:
                asked, here, there = state.cheapest_of_bound()
                if cost + asked < least:
                    change, one, other = asked, here, there
                elif change >= BOUND // 2 or step > steps or self._spent(seated=far):
                    break
            cost += change
            until = step + 3 + self._entries // STAY + draw.below(1 + 2 * self._entries // STAY)
            bound_until[one] = bound_until[other] = until
            freed[until] += one, other
            state.exchange(one, other, [moved for moved in freed.pop(step + 1, ()) if bound_until[moved] == step + 1])
            if cost < least:
                best, least = state.chairs.copy(), cost
                sought = far or self._clashes(best)
        return best, step

    def _spent(self, *, seated: bool) -> bool:
        self._left -= (OVERHEAD + self._entries**2 // SHARE) * (SEATED if seated else 1)
        return self._left < 0

    def _clashes(self, chairs: Index) -> bool:
        """Return whether a table has a repeat, two entries of one author, or a forbidden pair."""
        return bool((self._meetings[chairs[:, :, None], chairs[:, None, :]] >= AUTHOR).any())
