"""The next table of a continuous ladder: the bot that played least, with the nearest bots that it met least.

Measured against a choice by expected information, by openskill's sigma and by lot (decision 0062). The cost grows with
the contenders, and not with what was ever played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import scipy

from ftk_core.league.court.fitting import MEAN

CAUGHT_UP = 100
"""With so many matches a version has caught up: then whoever was called longest ago comes first."""
AGAIN = 100.0
"""An earlier meeting of two counts like so many points between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A bot that may be called, as far as the choice needs it."""

    key: int
    owner: int
    """Whose bot it is: two of one owner meet only where there are too few others."""
    value: float = MEAN
    """Its strength, in points."""
    called: int = 0
    """The number of calls, including matches that have not ended."""
    last: int = 0
    """The number of the last bout to which it was called."""
    sat: Mapping[int, int] = field(default_factory=dict[int, int])
    """By seat, how often it was called to it at tables of this size."""


Met = Callable[[int], Mapping[int, int]]
"""(key of a contender) -> by key, how often it met the others or is about to; asked once for each at the table."""


def call_table(field_: Sequence[Contender], seats: int, seed: bytes, met: Met) -> tuple[int, ...]:
    """Return the keys of those who meet next, by seat; raises ValueError where there are fewer of them than seats.

    The same field and seed give the same table in whatever order the contenders come: among equals the seed decides.
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
    """Return the keys by seat, everybody where he sat least: the squares of how often grow as little as they can."""
    costs = [[2 * one.sat.get(seat, 0) + 1 for seat in range(len(table))] for one in table]
    people, seats = scipy.optimize.linear_sum_assignment(costs)
    by_seat = dict(zip(seats.tolist(), people.tolist(), strict=True))
    return tuple(table[by_seat[seat]].key for seat in range(len(table)))
