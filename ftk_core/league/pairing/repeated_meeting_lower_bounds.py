"""Provable lower bounds on the number of repeated meetings in a round.

Proofs: Tutte-Berge formula at tables of two, counting at larger tables.
"""
# The proof at tables of two is a set of bots. Delete it from the graph of pairs that have not met. In each connected
# component with an odd number of bots, one finds no new opponent inside; only deleted bots could be its opponent. With
# d more odd components than deleted bots, at least d / 2 pairs meet again. Some set proves the exact minimum (Gallai
# and Edmonds): the neighbours of all bots that some maximum matching leaves alone, without these bots themselves.

from __future__ import annotations

from collections.abc import Sequence

import rustworkx as rx

NewOpponents = Sequence[frozenset[int]]
"""By index of a bot: indices of the bots that it may meet and has not met."""


def prove_by_matching(new: NewOpponents) -> tuple[int, list[int]]:
    """Return the minimum number of repeated meetings at tables of two, and the set of bots that proves it."""
    graph: rx.PyGraph[int, None] = rx.PyGraph()
    graph.add_nodes_from(range(len(new)))
    graph.add_edges_from(
        [(one, other, None) for one, new_opponents in enumerate(new) for other in sorted(new_opponents) if one < other]
    )
    over, beside = 0, set[int]()
    for part in rx.connected_components(graph):
        members = sorted(part)
        most = _matched(graph, members)
        if left := len(members) - 2 * most:
            over += left
            spared = {one for one in members if _matched(graph, [m for m in members if m != one]) == most}
            beside |= {other for one in spared for other in new[one]} - spared
    return over // 2, sorted(beside)


def _matched(graph: rx.PyGraph[int, None], members: Sequence[int]) -> int:
    return len(rx.max_weight_matching(graph.subgraph(list(members)), max_cardinality=True))


def bound_by_counting(new: NewOpponents, sizes: Sequence[int]) -> int:
    """Return a lower bound on the number of repeated meetings, given the new opponents of each bot."""
    # If the tables need more pairs than have not met yet, some pairs meet again. So do some if a bot needs more
    # opponents than it has new ones. A repeated meeting counts for two bots.
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    opponents = min(sizes) - 1
    fresh = sum(len(new_opponents) for new_opponents in new) // 2
    lacking = sum(max(0, opponents - len(new_opponents)) for new_opponents in new)
    return max(0, pairs - fresh, -(-lacking // 2))
