"""Lower bounds on the number of repeated meetings in a round, with proofs that anybody can verify.

At tables of two, the proof is a set of bots. Take the graph of pairs that have not met yet, and delete these bots.
Count the connected components with an odd number of bots. In such a component, at least one bot finds no new opponent
inside. Only deleted bots could be its opponent outside. If there are d more odd components than deleted bots, then at
least d bots find no new opponent in any pairing, so at least d / 2 pairs meet again (Tutte and Berge).

Some set proves the exact minimum. Take all bots that are left without an opponent in some maximum matching; their
neighbours in the graph, without these bots themselves, are the set (Gallai and Edmonds). At larger tables the bound
follows from counting the pairs, and the opponents of each bot.
"""

from __future__ import annotations

from collections.abc import Sequence

import rustworkx as rx

NewOpponents = Sequence[frozenset[int]]
"""By index of a bot: indices of the bots that it may meet and has not met."""


def prove_by_matching(new: NewOpponents) -> tuple[int, list[int]]:
    """Return the minimum number of repeated meetings at tables of two, and a set of bots that proves it.

    If these bots (given by index) are deleted from the graph of possible first meetings, many connected components with
    an odd number of bots remain. In each, one bot finds no new opponent inside; see the module for the proof.
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
    """Return a lower bound on repeated meetings at tables of the given sizes: the larger one of two bounds.

    The first counts pairs: if the tables need more pairs than have not met yet, the others meet again. The second
    counts opponents: if a bot needs more opponents than it has not met yet, it meets others again. Such a meeting
    counts for two bots.
    """
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    opponents = min(sizes) - 1
    fresh = sum(len(new_opponents) for new_opponents in new) // 2
    lacking = sum(max(0, opponents - len(new_opponents)) for new_opponents in new)
    return max(0, pairs - fresh, -(-lacking // 2))
