"""Who takes which seat: an exact assignment, drawn by lot where it leaves a choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import rustworkx as rx

from ftk_core.league.pairing.field import Candidate
from ftk_core.rng import Draw

SEAT, ROLE, FIRST = 1, 1_000, 1_000_000
"""What a seat weighs, what its role, and what sitting first: it begins, or is the King."""


def wanted(seats: Mapping[int, int], size: int) -> int:
    """Return the seats of a table in which an entry sat least, as bits."""
    counts = [seats.get(seat, 0) for seat in range(size)]
    least = min(counts)
    return sum(1 << seat for seat, count in enumerate(counts) if count == least)


def all_content(wishes: Sequence[int]) -> bool:
    """Tell whether everybody can have a seat of its own among those it wants, given as bits (Hall, by Kuhn's way)."""
    holder: dict[int, int] = {}

    def settles(person: int, tried: list[int]) -> bool:
        left = wishes[person] & ~tried[0]
        while left:
            seat = left & -left
            tried[0] |= seat
            if seat not in holder or settles(holder[seat], tried):
                holder[seat] = person
                return True
            left = wishes[person] & ~tried[0]
        return False

    return all(settles(person, [0]) for person in range(len(wishes)))


def seating(table: Sequence[Candidate], games: int, roles: Sequence[int], draw: Draw) -> tuple[int, ...]:
    """Return the entries by seat so that everybody sits where they have sat least; who begins has begun least.

    Each further match of the table turns the seats by one. Of equally good seatings that are one exchange away
    the one is taken in which the fewest have a left neighbour whom they have had before.
    """
    people, seats = draw.shuffled(table), range(len(table))
    costs = [[_cost(person, seat, games, len(table), roles) for seat in seats] for person in people]
    taken = _assigned(costs)
    if any(one.met.get(other.entry) for one, other in combinations(people, 2)):
        taken = _other_neighbours(people, costs, taken)
    return tuple(people[index].entry for index in taken)


def _cost(person: Candidate, seat: int, games: int, size: int, roles: Sequence[int]) -> int:
    """Return what the table's matches from that seat on add to the squares of how often the person sat where."""
    total = 0
    for game in range(games):
        one = (seat - game) % size
        total += (1 + 2 * person.seats.get(one, 0)) * (FIRST if one == 0 else SEAT)
        if roles:
            total += (1 + 2 * person.roles.get(roles[one], 0)) * ROLE
    return total


def _assigned(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return by seat the index of who takes it at the least cost in all."""
    size = len(costs)
    if size == 2:
        return [0, 1] if costs[0][0] + costs[1][1] <= costs[0][1] + costs[1][0] else [1, 0]
    top = 1 + max(map(max, costs))
    graph: rx.PyGraph[int, int] = rx.PyGraph()
    graph.add_nodes_from(range(2 * size))
    graph.add_edges_from([(p, size + s, top - costs[p][s]) for p in range(size) for s in range(size)])
    matching = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    by_seat = {max(pair) - size: min(pair) for pair in matching}
    return [by_seat[seat] for seat in range(size)]


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
