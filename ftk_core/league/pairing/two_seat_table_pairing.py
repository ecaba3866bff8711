"""Minimum-cost pairing at tables of two, fast even for large leagues."""
# In large leagues most bots with equal points can be paired at no cost in many ways. Such pairs are set aside first.
# The other bots (the core) are matched exactly; in a large core, only some of the cheapest opponents of each bot are
# considered. Then both numbers (`INITIAL_KEPT_PER_KIND`, `INITIAL_CANDIDATES`) are doubled, until the cost no longer
# falls, or until only the differences in points could still be smaller.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.pairing.deterministic_graph_matching import match_pairs
from ftk_core.league.pairing.pairing_costs import FORBIDDEN_COST, REPEAT_COST, PairingCosts, first_seat_lead

Pair = tuple[int, int]
"""Two bots as indices in the order of the standings, the lower index first."""

MAX_ENTRIES_MATCHED_AT_ONCE = 96
"""Number of bots up to which all bots are matched at once, and no pairs are set aside."""
INITIAL_KEPT_PER_KIND = 4
"""Initial number of bots of each kind that each score group (bots with equal points) keeps for exact matching.

The kinds are: bots due for the first seat, for the second seat, or for either."""
MAX_KEPT_PER_KIND = 16
"""Number of kept bots per kind at which the search stops if the pairs have no fault but differences in points."""
UNEVEN_SEATS_COST, THIRD_MEETING_COST, SAME_AUTHOR_COST, REPEATED_PAIR_COST, NO_EDGE_COST = (
    1 << 34,
    1 << 38,
    1 << 45,
    1 << 56,
    1 << 62,
)
"""Costs of the faults of a pairing, the slightest first. With up to 2,000 bots, the differences in points of all
pairs cost less than one uneven seat. `THIRD_MEETING_COST` is multiplied by the squared number of earlier meetings.
`NO_EDGE_COST` marks forbidden pairs: they are no edges of the graph."""
INITIAL_CANDIDATES = 24
"""Initial number of candidate opponents of each bot, if the core is large.

A bot gets this many of its cheapest candidates, and as many of the cheapest that cost at least `UNEVEN_SEATS_COST`.
"""
MAX_FREE_CANDIDATES = 16
"""Maximum number of opponents examined to pair a bot at no cost. If none of them fits, it joins the core."""


def match_pairs_of_entries(costs: PairingCosts, games: int) -> list[Pair]:
    """Return the pairs of bots with the lowest total cost, as indices.

    A forbidden pair appears only if it is unavoidable.
    """
    leads = [first_seat_lead(c.seats) if games % 2 else 0 for c in costs.playing]
    kept_per_kind = INITIAL_KEPT_PER_KIND if len(leads) > MAX_ENTRIES_MATCHED_AT_ONCE else len(leads)
    least, best = None, list[Pair]()
    while True:
        aside = list(_set_aside_pairs(costs, leads, kept_per_kind))
        away = {index for pair in aside for index in pair}
        core = [index for index in range(len(leads)) if index not in away]
        near = INITIAL_CANDIDATES * kept_per_kind // INITIAL_KEPT_PER_KIND
        cost, pairs = _match_core(costs, np.array(leads), core, near)
        if least is not None and cost >= least:
            return best
        least, best = cost, pairs + aside
        if (not aside and len(core) <= 2 * near) or (kept_per_kind >= MAX_KEPT_PER_KIND and cost < UNEVEN_SEATS_COST):
            return best
        kept_per_kind *= 2


def _set_aside_pairs(costs: PairingCosts, leads: Sequence[int], kept_per_kind: int) -> Iterator[Pair]:
    """Yield pairs with equal points and no cost, so that the matching need not consider their bots."""
    # A bot is due for the seat in which it sat less often. A pair is free if one is due for the first seat and the
    # other for the second, or if neither is due. The first `kept_per_kind` bots of each kind and score group are left
    # for the matching.
    for _, members in groupby(range(len(leads)), key=lambda index: int(costs.points[index])):
        group = list(members)
        firsts = [index for index in group if leads[index] < 0][kept_per_kind:]
        seconds = [index for index in group if leads[index] > 0][kept_per_kind:]
        either = [index for index in group if leads[index] == 0][kept_per_kind:]
        yield from _free_pairs(costs, firsts, seconds)
        yield from _free_pairs(costs, either[::2], either[1::2])


def _free_pairs(costs: PairingCosts, ones: Sequence[int], others: Sequence[int]) -> Iterator[Pair]:
    waiting = list(others)
    for one in ones:
        for at, other in enumerate(waiting[:MAX_FREE_CANDIDATES]):
            pair = (min(one, other), max(one, other))
            if pair not in costs.layers:
                yield pair
                del waiting[at]
                break


def _match_core(costs: PairingCosts, leads: NDArray[np.int_], core: Sequence[int], near: int) -> tuple[int, list[Pair]]:
    """Pair the bots in `core`, which were not paired in advance, at the lowest total cost; return cost and pairs."""
    where = np.array(core, dtype=np.intp)
    points, at = costs.points[where], {index: place for place, index in enumerate(core)}
    weights = (points[:, None] - points[None, :]) ** 2 + _seat_costs(leads[where])
    for (one, other), layer in costs.layers.items():
        if one in at and other in at:
            weights[at[one], at[other]] += _strict_layer_cost(layer)
    first, second = np.nonzero(np.triu(_select_candidates(weights, near), 1))
    mates = match_pairs(len(core), first, second, weights[first, second].tolist())
    alone = sorted(set(range(len(core))).difference(*mates))
    ends = sorted((*mates, *zip(alone[::2], alone[1::2], strict=True)))
    return sum(int(weights[pair]) for pair in ends), [(core[one], core[other]) for one, other in ends]


def _select_candidates(weights: NDArray[np.int64], near: int) -> NDArray[np.bool_]:
    """Return a matrix of candidate pairs: all allowed pairs or, with many bots, the cheapest."""
    may: NDArray[np.bool_] = weights < NO_EDGE_COST
    if len(weights) <= max(MAX_ENTRIES_MATCHED_AT_ONCE, 2 * near):
        return may
    numbers = np.arange(len(weights))
    # ties are broken explicitly (nearest first, above before below), as libraries break them differently
    distance = 2 * abs(numbers[:, None] - numbers) - (numbers[:, None] > numbers)
    order = (np.minimum(weights, NO_EDGE_COST >> 15) << 13) + distance
    beside = np.zeros_like(may)
    for prices in (order, np.where(weights < UNEVEN_SEATS_COST, NO_EDGE_COST + order, order)):
        np.put_along_axis(beside, prices.argpartition(near, axis=1)[:, :near], values=True, axis=1)
    return may & (beside | beside.T)


def _strict_layer_cost(layer: int) -> int:
    """Convert a pair's cost in `PairingCosts` into its cost in the matching.

    A pair that has met costs so much more that as few pairs as possible meet again.
    """
    # `PairingCosts` only adds the squared numbers of meetings. Here they decide only among pairings with equally many
    # repeats.
    squares, siblings = divmod(layer, REPEAT_COST)
    if layer >= FORBIDDEN_COST:
        return NO_EDGE_COST
    return (REPEATED_PAIR_COST if squares else 0) + squares * THIRD_MEETING_COST + (SAME_AUTHOR_COST if siblings else 0)


def _seat_costs(leads: NDArray[np.int_]) -> NDArray[np.int64]:
    """Return the cost of uneven seats for each pair of bots, as a matrix."""
    # `leads`: how many more times each bot sat first than second. If both lead in the same seat, the one with the
    # smaller lead must take it again. Cost: `UNEVEN_SEATS_COST` times the difference in (absolute lead - 1) squared
    # that this makes for it.
    less = np.minimum(abs(leads)[:, None], abs(leads)[None, :])
    again = (less**2 - np.maximum(0, less - 2) ** 2) * UNEVEN_SEATS_COST
    return np.where(leads[:, None] * leads[None, :] > 0, again, 0)
