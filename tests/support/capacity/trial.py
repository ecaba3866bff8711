"""A real league with four workers, one of them killed, held against the same league reckoned.

What goes into the simulation is measured in another league of the same run, with two workers and nobody killed: how
long matches last, how soon a worker has the next one, how long a round takes to turn.
"""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import mean
from time import monotonic

from tests.support.arena import Arena
from tests.support.capacity.arena import Shape, begin, play, until_over, until_rested
from tests.support.capacity.costs import Locks
from tests.support.capacity.scenario import Fleet, Load, Rules, Times
from tests.support.capacity.simulation import Simulation
from tests.support.prepared import asked
from tests.support.waiting import wait_for

PACE_MS = 100
CALIBRATION = Shape(slug="calm", game="pig", seats=2, bots=24, rounds=2, pace_ms=PACE_MS)
REAL = Shape(slug="real", game="pig", seats=2, bots=32, rounds=2, pace_ms=PACE_MS)
WORKERS, KILL_AFTER = 4, 8.0
SEEDS = 200
AGREE = 0.20
"""So far may what was reckoned be from what happened, as a part of that."""
ROWS = """
SELECT t.round, split_part(m.holder, ':', 2), extract(epoch FROM m.created_at)::float8,
       extract(epoch FROM m.opened_at)::float8, extract(epoch FROM m.closed_at)::float8, m.attempts, m.status
FROM replays_match AS m JOIN tournaments_tablematch AS t ON t.match_id = m.id
JOIN tournaments_league AS l ON l.id = t.league_id WHERE l.slug = '{slug}' ORDER BY m.closed_at
"""
HELD = """
SELECT DISTINCT split_part(m.holder, ':', 2)::int FROM replays_match AS m
JOIN replays_stream AS s ON s.id = 'match/' || m.id
WHERE m.status = 'playing' AND m.holder <> '' AND m.opened_at < now() - interval '1 second' AND s.length > 5
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One match, with times in seconds since 1970."""

    round: int
    worker: str
    made: float
    opened: float
    closed: float
    attempts: int
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How a league went, in seconds."""

    makespan: float
    """From its first match's making to its last one's end."""
    throughput: float
    """Matches a second."""
    wait: float
    """Mean age of a match when it was opened."""
    ended: int
    """How many matches ended."""


def played(arena: Arena, slug: str) -> list[Played]:
    """Return the matches of a league that is over, in the order in which they ended."""
    names = ("round", "worker", "made", "opened", "closed", "attempts", "status")
    return [Played(**dict(zip(names, row, strict=True))) for row in asked(arena, ROWS.format(slug=slug))]


def times_of(matches: Sequence[Played], locks: Locks) -> Times:
    """Return how long everything took in a league in which nobody died."""
    handover, begin_, pause = [], [], []
    rounds = [list(some) for _, some in groupby(matches, key=lambda match: match.round)]
    for some in rounds:
        by_worker = defaultdict[str, list[Played]](list)
        for match in sorted(some, key=lambda match: match.opened):
            by_worker[match.worker].append(match)
        for chain in by_worker.values():
            begin_.append(chain[0].opened - chain[0].made)
            handover += [after.opened - before.closed for before, after in pairwise(chain)]
    for before, after in pairwise(rounds):
        gap = min(match.made for match in after) - max(match.closed for match in before)
        pause.append(max(0.0, gap - locks.record - locks.turn))
    return Times(
        play=tuple(match.closed - match.opened for match in matches),
        handover=tuple(handover),
        begin=tuple(begin_),
        record=locks.record,
        more=locks.more,
        turn=locks.turn,
        pause=tuple(pause) or (0.0,),
    )


def calibrated(arena: Arena) -> list[Played]:
    """Play the league from which times are taken."""
    until_rested(arena)
    play(arena, CALIBRATION)
    return played(arena, CALIBRATION.slug)


def happened(arena: Arena, shape: Shape = REAL) -> tuple[Course, float]:
    """Play the real league and kill a worker in its midst; return how it went, and when that was."""
    until_rested(arena)
    begin(arena, shape)
    wait_for(lambda: len(asked(arena, HELD)) == WORKERS, "all workers play", 60)
    first = monotonic()
    wait_for(lambda: monotonic() - first > KILL_AFTER and asked(arena, HELD), "the time to kill", 60)
    victim = int(asked(arena, HELD)[0][0])
    assert victim in arena.processes("matches@"), "whoever holds a match is one of this arena's"
    os.kill(victim, signal.SIGKILL)
    ((killed,),) = asked(arena, "SELECT extract(epoch FROM now())::float8")
    until_over(arena, shape)
    matches = played(arena, shape.slug)
    began = min(match.made for match in matches)
    assert sum(match.attempts - 1 for match in matches) == 1, "one match was begun twice, as its worker was killed"
    makespan = max(match.closed for match in matches) - began
    wait = mean(match.opened - match.made for match in matches)
    ended = sum(match.status == "closed" for match in matches)
    return Course(makespan=makespan, throughput=len(matches) / makespan, wait=wait, ended=ended), killed - began


def reckoned(times: Times, rules: Rules, shape: Shape, workers: int, kill: float) -> Course:
    """Return the mean of many courses of the same league, reckoned."""
    load = Load(leagues=1, rounds=shape.rounds, matches=shape.a_round)
    fleet = Fleet(workers=workers, kills=(kill,))
    courses = [Simulation(fleet, load, times, rules, seed).run() for seed in range(SEEDS)]
    makespan = mean(course.makespan for course in courses)
    return Course(
        makespan=makespan,
        throughput=load.total / makespan,
        wait=mean(mean(course.waits) for course in courses),
        ended=round(mean(len(course.closed) for course in courses)),
    )


def difference(ours: float, real: float) -> float:
    """Return how far what was reckoned is from what happened, as a part of it."""
    return abs(ours - real) / real


def agree(ours: Course, real: Course) -> dict[str, float]:
    """Return how far they are apart, by figure."""
    return {name: difference(getattr(ours, name), getattr(real, name)) for name in ("throughput", "makespan", "wait")}
