"""Tables of three and more: from the order of the standings, exchange after exchange, and on past the first optimum.

First it is only sought who meets whom, until nobody meets again and authors are apart; then everything is weighed, each
exchange with the seats it leaves at both tables. The second walk begins where the first one ended, and keeps the best.
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
"""Making an exchange costs as much as so many pairs more, however few there are."""
SHARE = 16
"""Of all pairs a 16th costs as much: they are looked at, and not weighed."""
WALK, ALONE = 36, 33
"""So many exchanges are made for each entry, and so many of them at most without a look at the seats, as far as the
budget reaches; the first optimum is always reached."""
SEATED = 3
"""An exchange with its seats counts as so many."""
STAY = 64
"""Whoever was exchanged stays for a 64th to three 64ths as many steps as there are entries, and two more."""
NOBODY = 1 << 58
"""What it would cost if the empty chair of a shorter table were another one, or elsewhere."""


class Grouping:
    """The search for the cheapest way to sit down.

    A shorter table's last chair is held by nobody, who is an entry like others but costs nothing and never moves.
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
        """Walk on past optima; return the best tables met, and how many steps that took.

        Each step is the best exchange of whoever is free. Whoever was exchanged is not free for some steps, unless that
        leads to tables better than any before (tabu search: Taillard, Robust taboo search for the quadratic assignment
        problem, 1991). Unless it is to go far, the walk ends where nobody meets who should not.
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
        """Tell whether somebody meets again, or an author's other entry, or whom it must not."""
        return bool((self._meetings[chairs[:, :, None], chairs[:, None, :]] >= AUTHOR).any())
