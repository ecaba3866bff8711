"""The price of an exchange is the change in cost after both tables are seated optimally."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ftk_core.league.pairing.entry_swap_costs import TABU_PENALTY, EntrySwapCosts, Index
from ftk_core.league.pairing.pairing_costs import Matrix


def whole(meetings: Matrix, sitting: Matrix, seats: Matrix | None, chairs: Index) -> int:
    """Return the total cost of tables, with the cheapest order of seats found by trying all."""
    total = 0
    for number, table in enumerate(chairs.tolist()):
        total += int(meetings[np.ix_(table, table)].sum()) // 2 + int(sitting[number, table].sum())
        if seats is not None:
            total += min(
                sum(int(seats[number, seat, one]) for seat, one in enumerate(order)) for order in permutations(table)
            )
    return total


@pytest.mark.slow
@given(
    seed=st.integers(0, 1000),
    tables=st.integers(2, 4),
    size=st.integers(2, 4),
    seated=st.booleans(),
    steps=st.integers(0, 3),
)
@settings(deadline=None, max_examples=60)
def test_the_computed_cost_of_swapping_two_entries_of_a_pairing_equals_the_change_in_total_cost(
    seed: int, tables: int, size: int, seated: bool, steps: int
) -> None:
    lot = np.random.default_rng(seed)
    entries = tables * size
    half = np.triu(lot.integers(0, 100, (entries, entries)), 1)
    meetings, sitting = half + half.T, lot.integers(0, 50, (tables, entries))
    seats = lot.integers(0, 3, (tables, size, entries)) ** 2 * 40 if seated else None
    state = EntrySwapCosts(meetings, sitting, seats, np.arange(entries).reshape(tables, size), np.arange(0))
    for _ in range(steps):
        one = int(lot.integers(entries))
        other = int(lot.choice(np.flatnonzero(state.table != state.table[one])))
        state.exchange(one, other, (one, other))
    before = whole(meetings, sitting, seats, state.chairs)
    if seats is not None:
        paid = sum(int(seats[t, s, one]) for (t, s), one in np.ndenumerate(state.chairs))
        unseated = whole(meetings, sitting, None, state.chairs)
        assert unseated + paid == before, "the tables are seated as is cheapest"
    for one in range(entries):
        for other in range(entries):
            if state.table[one] == state.table[other]:
                assert state.change[one, other] == TABU_PENALTY
                continue
            after = state.chairs.copy()
            after[state.chairs == one], after[state.chairs == other] = other, one
            assert state.change[one, other] == whole(meetings, sitting, seats, after) - before


def test_the_search_for_the_cheapest_swap_skips_tabu_entries_and_a_separate_search_covers_them() -> None:
    meetings = np.array([[0, 9, 0, 0], [9, 0, 0, 0], [0, 0, 0, 9], [0, 0, 9, 0]])
    state = EntrySwapCosts(meetings, np.zeros((2, 4), dtype=np.int64), None, np.array([[0, 1], [2, 3]]), np.array([0]))
    assert state.cheapest()[0] == -18
    assert state.cheapest()[1] == 1
    assert state.cheapest_tabu_exchange()[:2] == (-18, 0)
    state.exchange(1, 2)
    assert state.cheapest()[0] >= TABU_PENALTY // 2
