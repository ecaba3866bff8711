"""Lower bounds on the number of repeated meetings in a round, with proofs that anybody can verify.

At tables of two the proof is a set of entries (Tutte and Berge). Remove these entries from the graph of pairs that have
not met yet: if the number of odd components exceeds the size of the set by d, then d entries find no new opponent in
any pairing, so at least d / 2 pairs meet again. Some set proves the exact minimum: the neighbours of the entries that
some maximum matching leaves over (Gallai and Edmonds). At larger tables the bound follows from counting pairs and
opponents.
"""

from __future__ import annotations

from collections.abc import Sequence

import rustworkx as rx

NewOpponents = Sequence[frozenset[int]]
"""By index of an entry: indices of the entries that it may meet and has not met."""


def prove_by_matching(new: NewOpponents) -> tuple[int, list[int]]:
    """Return the minimum number of repeated meetings at tables of two, and entries (by index) that prove it.

    The entries are those of the Tutte-Berge formula: without them, the graph of possible first meetings has so many
    parts with an odd number of entries that some entries must meet again.
    """
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
    """Return a lower bound on repeated meetings at tables of the given sizes.

    The bound follows from the number of new pairs in all, and from the number of new opponents of each entry.
    """
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    opponents = min(sizes) - 1
    fresh = sum(len(new_opponents) for new_opponents in new) // 2
    lacking = sum(max(0, opponents - len(new_opponents)) for new_opponents in new)
    return max(0, pairs - fresh, -(-lacking // 2))
