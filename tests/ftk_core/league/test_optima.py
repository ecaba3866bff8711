"""Matchings do not depend on the order in which a library visits edges; tables are numbered by points."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from ftk_core.league.pairing.deterministic_graph_matching import assign_seats, match_pairs
from ftk_core.league.pairing.pairing_input_and_output import PairingCandidate, PairingInput
from ftk_core.league.pairing.round_pairing import draw_round
from ftk_core.random_streams import MatchRandomness, seed_of


@pytest.mark.parametrize("nodes", [4, 9, 40])
def test_the_order_of_edges_does_not_change_which_of_many_optimal_matchings_is_found(nodes: int) -> None:
    luck = Random(nodes)
    edges = [(one, other, luck.randrange(2)) for one, other in combinations(range(nodes), 2)]
    matchings = list[list[tuple[int, int]]]()
    for _ in range(20):
        luck.shuffle(edges)
        first, second, costs = zip(*edges, strict=True)
        matchings.append(match_pairs(nodes, np.array(first), np.array(second), costs))
    assert all(matching == matchings[0] for matching in matchings)
    assert len(matchings[0]) == nodes // 2


def test_tables_are_numbered_from_the_highest_mean_points_to_the_lowest() -> None:
    candidates = tuple(PairingCandidate(entry=entry, points=points) for entry, points in enumerate((9, 8, 8, 0), 1))
    forbidden = frozenset({frozenset({1, 2}), frozenset({1, 3})})  # so that the first must meet the last
    problem = PairingInput(candidates=candidates, full=2, least=2, forbidden=forbidden)
    tables = draw_round(problem, MatchRandomness(seed_of("order")).at("pairing", 1)).tables
    assert [set(table) for table in tables] == [{2, 3}, {1, 4}]


@pytest.mark.parametrize("size", [2, 5, 6, 7, 12])
def test_the_assignment_of_seats_has_the_lowest_total_cost(size: int) -> None:
    luck = Random(size)
    for most in (1, 10, 1 << 58):
        costs = np.array([[luck.randrange(most + 1) for _ in range(size)] for _ in range(size)], dtype=np.int64)
        people = assign_seats(costs)
        assert sorted(people) == list(range(size))
        least = linear_sum_assignment(costs.T.astype(object).astype(float))[1]
        assert sum(int(costs[p, s]) for s, p in enumerate(people)) <= sum(int(costs[p, s]) for s, p in enumerate(least))


@pytest.mark.parametrize("size", [7, 12])
def test_seats_are_assigned_alike_whether_all_costs_are_zero_or_all_are_one(size: int) -> None:
    assert assign_seats(np.zeros((size, size), dtype=np.int64)) == assign_seats(np.ones((size, size), dtype=np.int64))
