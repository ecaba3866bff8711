"""Tables of two: an exact matching of least cost.

In large leagues most of a score group can sit down at no cost at all, and in so many ways that it does not matter who.
So pairs that cost nothing are set aside, all but `KEPT` of each kind in each score group, and the rest, the core, is
matched exactly. The core is widened until that lowers the cost no more, or everybody is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

from ftk_core.league.pairing.costs import FORBIDDEN, REPEAT, SEAT, Costs, lead

Pair = tuple[int, int]
"""Two indices in the order of the standings."""

ALL = 96
"""So few are all matched at once."""
KEPT = 4
"""Of each kind in each score group at first: those who want the first seat, the second, or either."""
MET, STRICT, NEVER = 1 << 30, 1 << 52, 1 << 62
"""Repeats weigh more than all pairs of one author together, and a forbidden pair more than all repeats."""
LOOKED = 16
"""So many are looked at for a partner who costs nothing, before both are left to the core."""


def matched(costs: Costs, games: int) -> list[Pair]:
    """Return pairs of indices at the least cost in all; a forbidden pair is among them only if nothing else is left."""
    leads = [lead(c.seats) if games % 2 else 0 for c in costs.playing]
    kept = KEPT if len(leads) > ALL else len(leads)
    least, best = None, list[Pair]()
    while True:
        aside = list(_aside(costs, leads, kept))
        away = {index for pair in aside for index in pair}
        core = [index for index in range(len(leads)) if index not in away]
        cost, pairs = _exact(costs, np.array(leads), core)
        if least is not None and cost >= least:
            return best
        least, best = cost, pairs + aside
        if not aside:
            return best
        kept *= 2


def _aside(costs: Costs, leads: Sequence[int], kept: int) -> Iterator[Pair]:
    """Yield pairs that cost nothing, of those beyond the first `kept` of each kind in each score group."""
    for _, members in groupby(range(len(leads)), key=lambda index: int(costs.points[index])):
        group = list(members)
        firsts = [index for index in group if leads[index] < 0][kept:]
        seconds = [index for index in group if leads[index] > 0][kept:]
        either = [index for index in group if leads[index] == 0][kept:]
        yield from _free(costs, firsts, seconds)
        yield from _free(costs, either[::2], either[1::2])


def _free(costs: Costs, ones: Sequence[int], others: Sequence[int]) -> Iterator[Pair]:
    waiting = list(others)
    for one in ones:
        for at, other in enumerate(waiting[:LOOKED]):
            pair = (min(one, other), max(one, other))
            if pair not in costs.layers:
                yield pair
                del waiting[at]
                break


def _exact(costs: Costs, leads: NDArray[np.int_], core: Sequence[int]) -> tuple[int, list[Pair]]:
    """Return the least cost of pairing the core, and the pairs."""
    where = np.array(core, dtype=np.intp)
    points, at = costs.points[where], {index: place for place, index in enumerate(core)}
    weights = (points[:, None] - points[None, :]) ** 2 + _seat_costs(leads[where])
    for (one, other), layer in costs.layers.items():
        if one in at and other in at:
            weights[at[one], at[other]] += _strictly(layer)
    first, second = np.triu_indices(len(core), 1)
    prices = weights[first, second]
    top = int(prices.max(initial=0)) + 1
    graph: rx.PyGraph[None, int] = rx.PyGraph()
    graph.add_nodes_from([None] * len(core))
    graph.add_edges_from(list(zip(first.tolist(), second.tolist(), (top - prices).tolist(), strict=True)))
    mates = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    # which end of a pair comes first is chance, and not the league's
    ends = sorted((min(pair), max(pair)) for pair in mates)
    return sum(int(weights[pair]) for pair in ends), [(core[one], core[other]) for one, other in ends]


def _strictly(layer: int) -> int:
    """Return the cost of a layer where any number of third meetings is better than one repeat more."""
    squares, rest = divmod(layer, REPEAT)
    return NEVER if layer >= FORBIDDEN else (STRICT if squares else 0) + squares * MET + rest


def _seat_costs(leads: NDArray[np.int_]) -> NDArray[np.int64]:
    """Return what it costs that two want the same seat: (d - 1) squared for whoever's lead grows to d."""
    less = np.minimum(abs(leads)[:, None], abs(leads)[None, :])
    again = (less**2 - np.maximum(0, less - 2) ** 2) * SEAT
    return np.where(leads[:, None] * leads[None, :] > 0, again, 0)
