"""Comparison of a real league, in which a worker is killed, with its simulation."""
# The simulation's durations are measured in another league, in which no worker is killed.

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
from tests.support.prepared_leagues import query_database
from tests.support.waiting import wait_for
from tools.capacity.arena_measurement import (
    MeasuredLeagueSettings,
    play_league,
    start_league,
    wait_until_closed,
    wait_until_idle,
)
from tools.capacity.fleet_simulation import FleetSimulation
from tools.capacity.resource_usage import LeagueLockTimes
from tools.capacity.simulation_inputs import (
    SimulatedArenaSettings,
    SimulatedFleet,
    SimulatedLoad,
    SimulatedStepDurations,
)

PACE_MS = 100
CALIBRATION = MeasuredLeagueSettings(slug="calm", game="pig", seats=2, bots=24, rounds=2, pace_ms=PACE_MS)
REAL = MeasuredLeagueSettings(slug="real", game="pig", seats=2, bots=32, rounds=2, pace_ms=PACE_MS)
WORKERS, KILL_AFTER = 4, 8.0
SEEDS = 200
AGREE = 0.20
"""Maximum relative difference between the simulated and the real figures."""
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
class PlayedMatchTimes:
    """One played match of a league; times are in seconds since 1970."""

    round: int
    worker: str
    made: float
    opened: float
    closed: float
    attempts: int
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueTiming:
    """Timing of a whole league, real or simulated, in seconds."""

    makespan: float
    """Time from the creation of the first match to the end of the last match."""
    throughput: float
    """Matches per second."""
    wait: float
    """Mean age of a match when a worker opened it."""
    ended: int
    """Number of matches that were played to their end."""


def read_played_matches(arena: Arena, slug: str) -> list[PlayedMatchTimes]:
    """Return the matches of a closed league in the order in which they ended."""
    names = ("round", "worker", "made", "opened", "closed", "attempts", "status")
    return [
        PlayedMatchTimes(**dict(zip(names, row, strict=True))) for row in query_database(arena, ROWS.format(slug=slug))
    ]


def extract_durations(matches: Sequence[PlayedMatchTimes], locks: LeagueLockTimes) -> SimulatedStepDurations:
    """Compute the durations of the simulated steps, such as a match or the pause between two rounds.

    `matches` and `locks` are the played matches and the measured lock times of a real league.
    """
    handover, begin_, pause = [], [], []
    rounds = [list(some) for _, some in groupby(matches, key=lambda match: match.round)]
    for some in rounds:
        by_worker = defaultdict[str, list[PlayedMatchTimes]](list)
        for match in sorted(some, key=lambda match: match.opened):
            by_worker[match.worker].append(match)
        for chain in by_worker.values():
            begin_.append(chain[0].opened - chain[0].made)
            handover += [after.opened - before.closed for before, after in pairwise(chain)]
    for before, after in pairwise(rounds):
        gap = min(match.made for match in after) - max(match.closed for match in before)
        pause.append(max(0.0, gap - locks.record - locks.turn))
    return SimulatedStepDurations(
        play=tuple(match.closed - match.opened for match in matches),
        handover=tuple(handover),
        begin=tuple(begin_),
        record=locks.record,
        more=locks.more,
        turn=locks.turn,
        pause=tuple(pause) or (0.0,),
    )


def play_calibration_league(arena: Arena) -> list[PlayedMatchTimes]:
    """Play the league from which the simulation's durations are measured, and return its matches."""
    wait_until_idle(arena)
    play_league(arena, CALIBRATION)
    return read_played_matches(arena, CALIBRATION.slug)


def play_real_league(arena: Arena, shape: MeasuredLeagueSettings = REAL) -> tuple[LeagueTiming, float]:
    """Play a league and kill a worker during a match.

    Return the league's timing, and the seconds from its first match to the kill.
    """
    wait_until_idle(arena)
    start_league(arena, shape)
    wait_for(lambda: len(query_database(arena, HELD)) == WORKERS, "all workers play", 60)
    first = monotonic()
    wait_for(lambda: monotonic() - first > KILL_AFTER and query_database(arena, HELD), "the time to kill", 60)
    victim = int(query_database(arena, HELD)[0][0])
    assert victim in arena.processes("matches@"), "the holder of a match is a worker of this arena"
    os.kill(victim, signal.SIGKILL)
    ((killed,),) = query_database(arena, "SELECT extract(epoch FROM now())::float8")
    wait_until_closed(arena, shape)
    matches = read_played_matches(arena, shape.slug)
    began = min(match.made for match in matches)
    assert sum(match.attempts - 1 for match in matches) == 1, "one match was begun twice, as its worker was killed"
    makespan = max(match.closed for match in matches) - began
    wait = mean(match.opened - match.made for match in matches)
    ended = sum(match.status == "closed" for match in matches)
    return LeagueTiming(makespan=makespan, throughput=len(matches) / makespan, wait=wait, ended=ended), killed - began


def simulate_league(
    times: SimulatedStepDurations,
    rules: SimulatedArenaSettings,
    shape: MeasuredLeagueSettings,
    workers: int,
    kill: float,
) -> LeagueTiming:
    """Return the mean timing of many simulated leagues in which a worker is killed.

    `kill` is the time of the kill, in seconds after the start of the league.
    """
    load = SimulatedLoad(leagues=1, rounds=shape.rounds, matches=shape.a_round)
    fleet = SimulatedFleet(workers=workers, kills=(kill,))
    runs = [FleetSimulation(fleet, load, times, rules, seed).run() for seed in range(SEEDS)]
    makespan = mean(run.makespan for run in runs)
    return LeagueTiming(
        makespan=makespan,
        throughput=load.total / makespan,
        wait=mean(mean(run.waits) for run in runs),
        ended=round(mean(len(run.closed) for run in runs)),
    )


def relative_difference(ours: float, real: float) -> float:
    """Return the absolute difference of a simulated and a real figure, divided by the real one."""
    return abs(ours - real) / real


def compare_timings(ours: LeagueTiming, real: LeagueTiming) -> dict[str, float]:
    """Return how much a simulated league differs from a real one in throughput, makespan and mean waiting time.

    Each difference is a share of the real value (0.1 means 10 %).
    """
    return {
        name: relative_difference(getattr(ours, name), getattr(real, name))
        for name in ("throughput", "makespan", "wait")
    }
