"""Tables of two: an exact matching of least cost.

In large leagues most of a score group can be paired at no cost, in so many ways that the choice does not matter. So
pairs that cost nothing are set aside, except `KEPT` of each kind in each score group. The rest, the core, is matched
exactly, each entry with its cheapest candidates. Both limits are widened until that no longer lowers the cost, or until
only points could come closer, by a few hundredths, for more work than everything before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.pairing.costs import FORBIDDEN, REPEAT, Costs, lead
from ftk_core.league.pairing.optima import match_pairs

Pair = tuple[int, int]
"""Two indices in the order of the standings."""

ALL = 96
"""Up to this number, all entries are matched at once."""
KEPT = 4
"""Initial number of entries kept of each kind in each score group: wanting the first seat, the second, or either."""
WIDEST = 16
"""Maximum number kept, if more could be set aside."""
UNEVEN, MET, SIBLINGS, AGAIN, NEVER = 1 << 34, 1 << 38, 1 << 45, 1 << 56, 1 << 62
"""Costs of the layers. Up to 2,000 entries all pairs together weigh less in points than one seat too often; all of
these, and third meetings, less than one pair of an author; all of these less than one repeat. Forbidden pairs have no
edge."""
NEAR = 24
"""Initial number of candidates for each entry in a large core, of those that leave the seats even and of the others."""
LOOKED = 16
"""Number of candidates examined for a partner at no cost, before both are left to the core."""


def matched(costs: Costs, games: int) -> list[Pair]:
    """Return pairs of indices of least total cost; a forbidden pair is included only if unavoidable."""
    leads = [lead(c.seats) if games % 2 else 0 for c in costs.playing]
    kept = KEPT if len(leads) > ALL else len(leads)
    least, best = None, list[Pair]()
    while True:
        aside = list(_aside(costs, leads, kept))
        away = {index for pair in aside for index in pair}
        core = [index for index in range(len(leads)) if index not in away]
        near = NEAR * kept // KEPT
        cost, pairs = _exact(costs, np.array(leads), core, near)
        if least is not None and cost >= least:
            return best
        least, best = cost, pairs + aside
        if (not aside and len(core) <= 2 * near) or (kept >= WIDEST and cost < UNEVEN):
            return best
        kept *= 2


def _aside(costs: Costs, leads: Sequence[int], kept: int) -> Iterator[Pair]:
    """Yield pairs that cost nothing, from entries beyond the first `kept` of each kind in each score group."""
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


def _exact(costs: Costs, leads: NDArray[np.int_], core: Sequence[int], near: int) -> tuple[int, list[Pair]]:
    """Match the core exactly; return the least cost and the pairs."""
    where = np.array(core, dtype=np.intp)
    points, at = costs.points[where], {index: place for place, index in enumerate(core)}
    weights = (points[:, None] - points[None, :]) ** 2 + _seat_costs(leads[where])
    for (one, other), layer in costs.layers.items():
        if one in at and other in at:
            weights[at[one], at[other]] += _strictly(layer)
    first, second = np.nonzero(np.triu(_worth(weights, near), 1))
    mates = match_pairs(len(core), first, second, weights[first, second].tolist())
    alone = sorted(set(range(len(core))).difference(*mates))
    ends = sorted((*mates, *zip(alone[::2], alone[1::2], strict=True)))
    return sum(int(weights[pair]) for pair in ends), [(core[one], core[other]) for one, other in ends]


def _worth(weights: NDArray[np.int64], near: int) -> NDArray[np.bool_]:
    """Return which pairs are candidates: for many entries, the cheapest of each entry, of either kind."""
    may: NDArray[np.bool_] = weights < NEVER
    if len(weights) <= max(ALL, 2 * near):
        return may
    numbers = np.arange(len(weights))
    # ties are broken explicitly (nearest first, above before below), as libraries break them differently
    distance = 2 * abs(numbers[:, None] - numbers) - (numbers[:, None] > numbers)
    order = (np.minimum(weights, NEVER >> 15) << 13) + distance
    beside = np.zeros_like(may)
    for prices in (order, np.where(weights < UNEVEN, NEVER + order, order)):
        np.put_along_axis(beside, prices.argpartition(near, axis=1)[:, :near], values=True, axis=1)
    return may & (beside | beside.T)


def _strictly(layer: int) -> int:
    """Return the cost of a layer in which any number of third meetings is better than one more repeat."""
    squares, siblings = divmod(layer, REPEAT)
    if layer >= FORBIDDEN:
        return NEVER
    return (AGAIN if squares else 0) + squares * MET + (SIBLINGS if siblings else 0)


def _seat_costs(leads: NDArray[np.int_]) -> NDArray[np.int64]:
    """Return the cost of two entries wanting the same seat: the excess of a lead over one, squared, of the loser."""
    less = np.minimum(abs(leads)[:, None], abs(leads)[None, :])
    again = (less**2 - np.maximum(0, less - 2) ** 2) * UNEVEN
    return np.where(leads[:, None] * leads[None, :] > 0, again, 0)
