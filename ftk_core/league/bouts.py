"""Matchmaking of a continuous ladder: the bot with the fewest bouts meets similar bots that it has rarely met.

Decision 0062 compares it with a choice by expected information, by openskill's sigma and at random. The cost grows with
the number of contenders, not with the number of past bouts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import scipy

from ftk_core.league.court.fitting import MEAN

CAUGHT_UP = 100
"""Number of matches after which a version has caught up. Then the bot that has waited longest comes first."""
AGAIN = 100.0
"""Penalty for an earlier meeting of two bots, in rating points of difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """Bot that can be called to a bout, with the data for the choice."""

    key: int
    owner: int
    """Owner of the bot. Two bots of one owner only meet if there are too few others."""
    value: float = MEAN
    """Rating in points."""
    called: int = 0
    """Number of calls, including matches that have not ended."""
    last: int = 0
    """Number of the last bout it was called to."""
    sat: Mapping[int, int] = field(default_factory=dict[int, int])
    """By seat: number of calls to this seat at tables of this size."""


Met = Callable[[int], Mapping[int, int]]
"""(key of a contender) -> by key: number of past and scheduled meetings; called once per bot at the table."""


def call_table(field_: Sequence[Contender], seats: int, seed: bytes, met: Met) -> tuple[int, ...]:
    """Return the keys of the bots that meet next, by seat; raise ValueError for fewer bots than seats.

    The result does not depend on the order of the contenders. The seed breaks ties.
    """
    if not 2 <= seats <= len(field_):
        raise ValueError(f"no table of {seats} among {len(field_)} contenders")
    free = sorted(field_, key=lambda one: sha256(b"%b %d" % (seed, one.key)).digest())
    table = [min(free, key=lambda one: (min(one.called, CAUGHT_UP), one.last))]
    away = dict.fromkeys((one.key for one in free), 0.0)
    while len(table) < seats:
        newest, times = table[-1], met(table[-1].key)
        free.remove(newest)
        for one in free:
            away[one.key] += abs(one.value - newest.value) + AGAIN * times.get(one.key, 0)
        owners = {one.owner for one in table}
        strangers = [one for one in free if one.owner not in owners]
        table.append(min(strangers or free, key=lambda one: away[one.key]))
    return _seated(table)


def _seated(table: Sequence[Contender]) -> tuple[int, ...]:
    """Assign the seats to minimise the sum of squares of seat counts; return the keys by seat."""
    costs = [[2 * one.sat.get(seat, 0) + 1 for seat in range(len(table))] for one in table]
    people, seats = scipy.optimize.linear_sum_assignment(costs)
    by_seat = dict(zip(seats.tolist(), people.tolist(), strict=True))
    return tuple(table[by_seat[seat]].key for seat in range(len(table)))
