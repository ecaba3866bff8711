"""Which table a continuous ladder calls next: the one whose result is expected to tell most.

Strengths are believed to be normal. A game between two of them tells of their difference what a logistic likelihood
tells (p (1 - p), its information), and by that their variances shrink; a table is worth what its pairs are together.
Only neighbours are weighed when the first of a table is looked for, and whoever joins him is weighed against those who
sit there already: the cost grows with the contenders, and not with what was ever played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
import scipy
from numpy.typing import NDArray

from ftk_core.league.court.beliefs import Prior
from ftk_core.league.court.fitting import MEAN, POINT

Floats = NDArray[np.float64]
NEWCOMER = (float(MEAN), POINT * Prior().first)
"""What is believed of a bot that has not played, in points: its strength, and the standard deviation of that."""
CHANGE = POINT * Prior().later
"""By how many points a version is believed to differ from the one before it, as a standard deviation."""
NEIGHBOURS = 12
"""So many to each side, in the order of strength, are weighed as who would tell most about somebody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A bot that may be called, as far as the choice needs it."""

    key: int
    owner: int
    """Whose bot it is: two of one owner meet only where there are too few others."""
    value: float = NEWCOMER[0]
    """Its strength, in points,"""
    deviation: float = NEWCOMER[1]
    """and how sure that is, as a standard deviation."""
    waits: int = 0
    """Tables to which it is called and that have not ended; what they will tell is taken into account."""
    sat: Mapping[int, int] = field(default_factory=dict[int, int])
    """By seat, how often it was called to it at tables of this size."""


Met = Callable[[int], Mapping[int, int]]
"""(key of a contender) -> by key, how often it met the others; asked once a table."""


def call_table(field_: Sequence[Contender], seats: int, seed: bytes, met: Met) -> tuple[int, ...]:
    """Return the keys of those who meet next, by seat; raises ValueError where there are fewer of them than seats.

    The same field and seed give the same table in whatever order the contenders come: among equals the seed decides.
    """
    if not 2 <= seats <= len(field_):
        raise ValueError(f"no table of {seats} among {len(field_)} contenders")
    drawn = sorted(field_, key=lambda one: sha256(b"%b %d" % (seed, one.key)).digest())
    values = np.array([one.value for one in drawn]) / POINT
    unsure = np.array([1 / ((POINT / one.deviation) ** 2 + one.waits * (seats - 1) / 4) for one in drawn])
    first = _first(values, unsure)
    times = met(drawn[first].key)
    novelty = 1 / (1 + np.array([times.get(one.key, 0) for one in drawn], dtype=np.float64))
    table = _joined(first, seats, values, unsure, novelty, np.array([one.owner for one in drawn]))
    return _seated([drawn[at] for at in table])


def shrinks(values: Floats, unsure: Floats, other: Floats, unsure_too: Floats) -> tuple[Floats, Floats]:
    """Return by how much the variances of both are expected to shrink if they meet, in units of strength squared.

    The information is that at the difference's mean, flattened by how unsure it is (D. MacKay, The evidence framework
    applied to classification networks, 1992).
    """
    both = unsure + unsure_too
    chance = 1 / (1 + np.exp((other - values) / np.sqrt(1 + np.pi / 8 * both)))
    told = chance * (1 - chance)
    share = told / (1 + told * both)
    return unsure**2 * share, unsure_too**2 * share


def _first(values: Floats, unsure: Floats) -> int:
    """Return of whom a game with the best of his neighbours tells most."""
    order = np.argsort(values, kind="stable")
    values, unsure, best = values[order], unsure[order], np.zeros(len(order))
    for step in range(1, min(NEIGHBOURS, len(order) - 1) + 1):
        low, high = shrinks(values[:-step], unsure[:-step], values[step:], unsure[step:])
        np.maximum(best[:-step], low, out=best[:-step])
        np.maximum(best[step:], high, out=best[step:])
    found = np.flatnonzero(best >= best.max() * (1 - 1e-12))
    return int(order[found].min())


def _joined(
    first: int, seats: int, values: Floats, unsure: Floats, novelty: Floats, owners: NDArray[np.int64]
) -> list[int]:
    """Return who sits at the first one's table: each tells most together with those before, and met the first least."""
    table, worth = [first], np.zeros(len(values))
    free, strange = np.ones(len(values), dtype=bool), np.ones(len(values), dtype=bool)
    while True:
        last = table[-1]
        free[last] = False
        strange &= owners != owners[last]
        if len(table) == seats:
            return table
        one = np.full(len(values), values[last]), np.full(len(values), unsure[last])
        worth += np.add(*shrinks(*one, values, unsure))
        may = free & strange if (free & strange).any() else free
        table.append(int(np.where(may, worth * novelty, -1.0).argmax()))


def _seated(table: Sequence[Contender]) -> tuple[int, ...]:
    """Return the keys by seat, everybody where he sat least: the squares of how often grow as little as they can."""
    costs = np.array([[2 * one.sat.get(seat, 0) + 1 for seat in range(len(table))] for one in table])
    people, seats = scipy.optimize.linear_sum_assignment(costs)
    by_seat = dict(zip(seats.tolist(), people.tolist(), strict=True))
    return tuple(table[by_seat[seat]].key for seat in range(len(table)))
