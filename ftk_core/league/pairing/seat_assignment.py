"""Optimal assignment of a table's bots to its seats; ties are decided at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np

from ftk_core.league.pairing.deterministic_graph_matching import assign_seats
from ftk_core.league.pairing.pairing_costs import Matrix
from ftk_core.league.pairing.pairing_input_and_output import PairingCandidate
from ftk_core.random_streams import RandomBitStream

SEAT_WEIGHT, ROLE_WEIGHT, FIRST_SEAT_WEIGHT, EXCESS_WEIGHT = 1, 1_000, 1_000_000, 10**12
"""Weights of uneven seats, of uneven roles, of uneven first seats, and of seat gaps above one.

The seat gap of a bot is how much more often it has sat in one seat of the table than in another.
"""
UNEVEN_SEAT_COST = 2 * 10**14
"""Cost of a seat in which a bot would get a larger seat gap than any bot has in the best seating."""
MAX_EXCESS = 3
"""Limit of a seat gap minus one: a larger seat gap costs no more."""


def squared_seat_excess(seats: Sequence[Mapping[int, int]], size: int, games: int) -> Matrix:
    """Return the cost of uneven use of seats, as a matrix of shape (seats, bots).

    Element [s, e] is the cost if bot e has seat s in the table's first match.
    """
    # Each further match moves the bots one seat further. The seat gap is the number of times in the most used seat
    # minus that in the least used. A gap of 0 or 1 costs nothing, a larger one (gap - 1) squared, at most that of
    # ``MAX_EXCESS + 1``.
    counts = np.array([[had.get(seat, 0) for had in seats] for seat in range(size)], dtype=np.int64)
    turns = np.zeros((size, size), dtype=np.int64)
    for seat, game in product(range(size), range(games)):
        turns[seat, (seat - game) % size] += 1
    after = turns[:, :, None] + counts
    above = np.clip(after.max(axis=1) - after.min(axis=1) - 1, 0, MAX_EXCESS)
    squared: Matrix = above * above
    return squared


def seat_gaps_of(person: PairingCandidate, size: int, games: int) -> list[int]:
    """Return the seat gap that a bot would have after all matches of a table, by its seat in the first match.

    A bot's seat gap is how much more often it had its most frequent seat than its rarest seat.
    """
    # Each match moves the bot one seat down, from the first seat to the last.
    seat_gaps, had = list[int](), [person.seats.get(one, 0) for one in range(size)]
    for seat in range(size):
        counts = list(had)
        for game in range(games):
            counts[(seat - game) % size] += 1
        seat_gaps.append(max(counts) - min(counts))
    return seat_gaps


def least_gap(table: Sequence[PairingCandidate], games: int) -> int:
    """Return the smallest number such that a seating of the table gives no bot a larger seat gap.

    A bot's seat gap is how much more often it had its most frequent seat than its rarest seat.
    """
    return _least_limit([seat_gaps_of(person, len(table), games) for person in table])


def _least_limit(seat_gaps: Sequence[Sequence[int]]) -> int:
    """Return the smallest number such that a seating gives nobody a larger seat gap, for the gaps by bot and seat."""
    # A bottleneck assignment problem.
    by_person = np.array(seat_gaps)
    for limit in np.unique(by_person).tolist():
        above = (by_person > limit).astype(np.int64)
        if not above[assign_seats(above), np.arange(len(seat_gaps))].any():
            return int(limit)
    raise AssertionError("the largest gap of all is a limit that everybody keeps")


def assign_table(
    table: Sequence[PairingCandidate], games: int, roles: Sequence[int], draw: RandomBitStream
) -> tuple[int, ...]:
    """Seat the bots of a table where they have sat least often; return them by seat.

    The criteria, the most important first:

    1. The largest seat gap is as small as possible.
    2. Few seat gaps exceed one.
    3. The first seat goes to a bot that has rarely had it.
    4. Roles go to bots that have rarely had them.
    5. Other seats go to bots that have rarely had them.
    6. Few bots have the same left neighbour again.
    """
    # The result is for the first match; each further match moves the bots one seat further.
    people, seats = draw.shuffled(table), range(len(table))
    seat_gaps = [seat_gaps_of(person, len(table), games) for person in people]
    least = _least_limit(seat_gaps)
    uneven = [[UNEVEN_SEAT_COST * (gap > least) for gap in gaps] for gaps in seat_gaps]
    costs = [
        [_cost(person, seat, games, len(table), roles) + penalties[seat] for seat in seats]
        for person, penalties in zip(people, uneven, strict=True)
    ]
    assignment = assign_seats(np.array(costs))
    if any(one.met.get(other.entry) for one, other in combinations(people, 2)):
        assignment = _other_neighbours(people, costs, assignment)
    return tuple(people[index].entry for index in assignment)


def _cost(person: PairingCandidate, seat: int, games: int, size: int, roles: Sequence[int]) -> int:
    """Return how uneven a bot's seats and roles become if it has the seat `seat` in the first match of a table.

    In each further match of the table the bot moves to the seat before.
    """
    # Seats and roles that it often had, and a seat gap above one, cost more.
    total, counts = 0, [person.seats.get(one, 0) for one in range(size)]
    for game in range(games):
        one = (seat - game) % size
        total += (1 + 2 * person.seats.get(one, 0)) * (FIRST_SEAT_WEIGHT if one == 0 else SEAT_WEIGHT)
        counts[one] += 1
        if roles:
            total += (1 + 2 * person.roles.get(roles[one], 0)) * ROLE_WEIGHT
    above = min(max(0, max(counts) - min(counts) - 1), MAX_EXCESS)
    return EXCESS_WEIGHT * above * above + total


def _other_neighbours(
    people: Sequence[PairingCandidate], costs: Sequence[Sequence[int]], assignment: list[int]
) -> list[int]:
    def weighed(order: Sequence[int]) -> tuple[int, int]:
        following = [*order[1:], order[0]]
        again = sum(people[one].left.get(people[two].entry, 0) for one, two in zip(order, following, strict=True))
        return sum(costs[person][seat] for seat, person in enumerate(order)), again

    best = weighed(assignment)
    for a, b in combinations(range(len(assignment)), 2):
        other = list(assignment)
        other[a], other[b] = other[b], other[a]
        if (value := weighed(other)) < best:
            assignment, best = other, value
    return assignment
