"""Minimum-cost matchings that are the same with every library version: tiny pseudo-random costs decide ties."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

Index = NDArray[np.intp]

NOISE_BITS = 32
NOISE_FACTOR = 1 << 44
"""Factor on each cost: even the smallest difference of costs outweighs the random weights of 4,096 edges."""
ENUMERATED_SEATS = 6
"""Maximum number of seats for which all seatings are compared, because that is faster than a matching."""


def match_pairs(nodes: int, first: Index, second: Index, costs: Sequence[int]) -> list[tuple[int, int]]:
    """Return the cheapest maximum matching in a graph, as sorted pairs of nodes.

    Edge i joins the nodes ``first[i]`` and ``second[i]`` and costs ``costs[i]``, which must be below 2^62.
    """
    top = max(costs, default=0) + 1
    weights = [(top - cost) * NOISE_FACTOR + extra for cost, extra in zip(costs, _noise(first, second), strict=True)]
    graph: rx.PyGraph[None, int] = rx.PyGraph()
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from(list(zip(first.tolist(), second.tolist(), weights, strict=True)))
    mates = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in mates)


def assign_seats(costs: NDArray[np.int64]) -> list[int]:
    """Return the bot in each seat, for the lowest total cost.

    `costs` has the shape (bots, seats).
    """
    if len(costs) <= ENUMERATED_SEATS:
        orders = _orders(len(costs))
        best: list[int] = orders[costs[orders, np.arange(len(costs))].sum(axis=1).argmin()].tolist()
        return best
    people, seats = np.indices(costs.shape).reshape(2, -1)
    pairs = match_pairs(2 * len(costs), people, seats + len(costs), costs.ravel().tolist())
    return [person for person, _ in sorted(pairs, key=lambda pair: pair[1])]


@cache
def _orders(size: int) -> Index:
    return np.array(list(permutations(range(size))), dtype=np.intp)


def _noise(first: Index, second: Index) -> list[int]:
    """Return 32 pseudo-random bits for each edge, computed from its two nodes."""
    # They decide between matchings of equal cost, so that every library version returns the same one. The hash is the
    # finalizer of SplitMix64 (Steele and others, 2014).
    mixed = first.astype(np.uint64) << np.uint64(32) | second.astype(np.uint64)
    mixed += np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    noise: list[int] = ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(64 - NOISE_BITS)).tolist()
    return noise
