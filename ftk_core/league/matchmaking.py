"""Matchmaking of a continuous ladder, which has no rounds.

The bot with the fewest matches plays next, against bots of similar rating that it has rarely met.
"""
# Bots with at least `CAUGHT_UP_MATCHES` matches count as equal: the one that has waited longest is chosen. Opponents
# have other owners if possible. Decision 0062 compares this rule with three others. The time to choose grows with the
# number of candidates, not with that of past matches.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import scipy

from ftk_core.league.court_rating.rating_fit import MEAN

CAUGHT_UP_MATCHES = 100
"""Number of bouts up to which the bot with fewest bouts is chosen; among bots with more, the longest wait decides."""
REPEAT_PENALTY_POINTS = 100.0
"""Penalty for each earlier meeting of two bots, added to their rating difference in points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchmakingBotCandidate:
    """Bot that can play the next ladder match, with its rating and past matches."""

    key: int
    owner: int
    """Owner of the bot. Two bots of one owner only meet if there are too few others."""
    value: float = MEAN
    """Rating in points."""
    called: int = 0
    """Number of bouts for which the bot was chosen, including those that have not ended."""
    last: int = 0
    """Number of the last bout for which the bot was chosen; bouts are numbered in the order of time."""
    sat: Mapping[int, int] = field(default_factory=dict[int, int])
    """Seat (from 0) -> number of the bot's bouts in this seat, at tables of the same size as the next table."""


MeetingsOf = Callable[[int], Mapping[int, int]]
"""Function from a candidate's key to a mapping: key of each opponent -> number of their bouts, past and scheduled."""


def choose_bout_seating(
    field_: Sequence[MatchmakingBotCandidate], seats: int, seed: bytes, met: MeetingsOf
) -> tuple[int, ...]:
    """Choose the bots of the next ladder match; return their keys by seat.

    Raises ValueError if there are too few bots.
    """
    # The choice does not depend on the order of the candidates. The seed breaks ties.
    if not 2 <= seats <= len(field_):
        raise ValueError(f"no table of {seats} among {len(field_)} contenders")
    free = sorted(field_, key=lambda one: sha256(b"%b %d" % (seed, one.key)).digest())
    table = [min(free, key=lambda one: (min(one.called, CAUGHT_UP_MATCHES), one.last))]
    away = dict.fromkeys((one.key for one in free), 0.0)
    while len(table) < seats:
        newest, times = table[-1], met(table[-1].key)
        free.remove(newest)
        for one in free:
            away[one.key] += abs(one.value - newest.value) + REPEAT_PENALTY_POINTS * times.get(one.key, 0)
        owners = {one.owner for one in table}
        strangers = [one for one in free if one.owner not in owners]
        table.append(min(strangers or free, key=lambda one: away[one.key]))
    return _assign_table_seats(table)


def _assign_table_seats(table: Sequence[MatchmakingBotCandidate]) -> tuple[int, ...]:
    """Seat the bots so that each plays every seat about equally often; return keys by seat."""
    costs = [[2 * one.sat.get(seat, 0) + 1 for seat in range(len(table))] for one in table]
    people, seats = scipy.optimize.linear_sum_assignment(costs)
    by_seat = dict(zip(seats.tolist(), people.tolist(), strict=True))
    return tuple(table[by_seat[seat]].key for seat in range(len(table)))
