"""Assignment of seats at a table: exact, with ties decided by lot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np

from ftk_core.league.pairing.costs import Matrix
from ftk_core.league.pairing.field import Candidate
from ftk_core.league.pairing.optima import assign_seats
from ftk_core.rng import Draw

SEAT, ROLE, FIRST, ABOVE = 1, 1_000, 1_000_000, 10**12
"""Weights of a seat, its role, sitting first (it begins, or is the King), and a seat too often."""
UNEVEN = 2 * 10**14
"""Cost of a seat that exceeds the least gap which the table allows."""
MOST = 3
"""Cap on the number of times above one."""


def above_one(seats: Sequence[Mapping[int, int]], size: int, games: int) -> Matrix:
    """Return (seats x entries): squared excess above one of an entry's seat counts after the table's matches.

    The excess is how much more often than once the entry has then sat in one of the table's seats than in another.
    """
    counts = np.array([[had.get(seat, 0) for had in seats] for seat in range(size)], dtype=np.int64)
    turns = np.zeros((size, size), dtype=np.int64)
    for seat, game in product(range(size), range(games)):
        turns[seat, (seat - game) % size] += 1
    after = turns[:, :, None] + counts
    above = np.clip(after.max(axis=1) - after.min(axis=1) - 1, 0, MOST)
    squared: Matrix = above * above
    return squared


def gaps(person: Candidate, size: int, games: int) -> list[int]:
    """Return by starting seat how much more often an entry has then sat in one seat of the table than in another."""
    found = list[int]()
    for seat in range(size):
        counts = [person.seats.get(one, 0) for one in range(size)]
        for game in range(games):
            counts[(seat - game) % size] += 1
        found.append(max(counts) - min(counts))
    return found


def least_gap(table: Sequence[Candidate], games: int) -> int:
    """Return the minimum, over all seatings, of the largest gap at a table (a bottleneck assignment)."""
    by_person = np.array([gaps(person, len(table), games) for person in table])
    for limit in np.unique(by_person).tolist():
        above = (by_person > limit).astype(np.int64)
        if not above[assign_seats(above), np.arange(len(table))].any():
            return int(limit)
    raise AssertionError("the largest gap of all is a limit that everybody keeps")


def seating(table: Sequence[Candidate], games: int, roles: Sequence[int], draw: Draw) -> tuple[int, ...]:
    """Return the entries by seat so that everybody sits where they have sat least; who begins has begun least.

    The first criterion is to minimise the largest gap between two seats of an entry (`least_gap`). Each further match
    of the table rotates the seats by one. Of equally good seatings that are one exchange away, the one is taken with
    the fewest repeated left neighbours. Remaining ties are decided by lot.
    """
    people, seats = draw.shuffled(table), range(len(table))
    least = least_gap(people, games)
    uneven = [[UNEVEN * (gap > least) for gap in gaps(person, len(table), games)] for person in people]
    costs = [
        [_cost(person, seat, games, len(table), roles) + row[seat] for seat in seats]
        for person, row in zip(people, uneven, strict=True)
    ]
    taken = assign_seats(np.array(costs))
    if any(one.met.get(other.entry) for one, other in combinations(people, 2)):
        taken = _other_neighbours(people, costs, taken)
    return tuple(people[index].entry for index in taken)


def _cost(person: Candidate, seat: int, games: int, size: int, roles: Sequence[int]) -> int:
    """Return the cost of a starting seat: the excess above one, and the increase in the squares of seat counts."""
    total, counts = 0, [person.seats.get(one, 0) for one in range(size)]
    for game in range(games):
        one = (seat - game) % size
        total += (1 + 2 * person.seats.get(one, 0)) * (FIRST if one == 0 else SEAT)
        counts[one] += 1
        if roles:
            total += (1 + 2 * person.roles.get(roles[one], 0)) * ROLE
    above = min(max(0, max(counts) - min(counts) - 1), MOST)
    return ABOVE * above * above + total


def _other_neighbours(people: Sequence[Candidate], costs: Sequence[Sequence[int]], taken: list[int]) -> list[int]:
    def weighed(order: Sequence[int]) -> tuple[int, int]:
        following = [*order[1:], order[0]]
        again = sum(people[one].left.get(people[two].entry, 0) for one, two in zip(order, following, strict=True))
        return sum(costs[person][seat] for seat, person in enumerate(order)), again

    best = weighed(taken)
    for a, b in combinations(range(len(taken)), 2):
        other = list(taken)
        other[a], other[b] = other[b], other[a]
        if (value := weighed(other)) < best:
            taken, best = other, value
    return taken
