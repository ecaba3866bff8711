"""Why repeats could not be avoided: lower bounds on them that anybody can count again.

At tables of two the proof is a set of entries (Tutte and Berge): take it out of the graph of who may still meet anew,
and if d more parts of odd size are left than the set has entries, d entries find no new opponent whatever is paired,
so that at least d / 2 pairs meet again. Some set proves the fewest repeats that there can be: those beside whoever
some largest matching leaves over (Gallai and Edmonds). At larger tables pairs and opponents are counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import rustworkx as rx

New = Sequence[frozenset[int]]
"""By index of an entry: those whom it may meet and has not met."""


def witness(new: New) -> tuple[int, list[int]]:
    """Return the fewest repeats that tables of two must have, and the set that proves it."""
    graph: rx.PyGraph[int, None] = rx.PyGraph()
    graph.add_nodes_from(range(len(new)))
    graph.add_edges_from([(one, other, None) for one, row in enumerate(new) for other in sorted(row) if one < other])
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


def counted(new: New, sizes: Sequence[int]) -> int:
    """Return how many repeats there must be, by counting: new pairs are too few, or somebody's new opponents."""
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    opponents = min(sizes) - 1
    fresh = sum(len(row) for row in new) // 2
    lacking = sum(max(0, opponents - len(row)) for row in new)
    return max(0, pairs - fresh, -(-lacking // 2))
