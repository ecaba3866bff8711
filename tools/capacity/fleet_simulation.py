"""Discrete-event simulation of workers that play leagues and sometimes crash.

Equal seeds give equal runs.
"""
# A crashed worker's match waits until its lease expires. Another worker then resumes it from the last stored page of
# the log. A worker for short tasks (`ftk-house`) locks a league to record its results and to pair the next round.

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import simpy

from tools.capacity.fleet_simulation_results import FleetSimulationResults
from tools.capacity.simulation_inputs import (
    SimulatedArenaSettings,
    SimulatedFleet,
    SimulatedLoad,
    SimulatedStepDurations,
)

SimulationProcess = Generator[simpy.Event, Any, None]
HOUR = 3600.0


@dataclass(slots=True, eq=False)
class SimulatedLeagueState:
    """State of a league in the simulation."""

    lock: simpy.Resource
    round: int = 0
    open: int = 0
    """Number of matches of the current round whose results are not recorded."""
    ended: list[SimulatedMatchState] = field(default_factory=list)
    """Ended matches that wait for the league's lock; its next holder records them all."""


@dataclass(slots=True, eq=False, kw_only=True)
class SimulatedMatchState:
    """State of a match in the simulation. Older matches sort first, so workers play them first."""

    born: float
    number: int
    league: SimulatedLeagueState | None
    length: float
    """Seconds that it takes to play the whole match."""
    since: float = 0.0
    """Time when the match was enqueued."""
    done: float = 0.0
    """Seconds of play that are stored in pages of its log."""
    attempts: int = 0
    recorded: bool = False

    def __lt__(self, other: SimulatedMatchState) -> bool:
        return (self.born, self.number) < (other.born, other.number)


class FleetSimulation:
    """One simulated run of a fleet of workers; its result is `outcome`."""

    def __init__(
        self,
        fleet: SimulatedFleet,
        load: SimulatedLoad,
        times: SimulatedStepDurations,
        rules: SimulatedArenaSettings,
        seed: int = 0,
    ) -> None:
        self._fleet, self._load, self._times, self._rules = fleet, load, times, rules
        self._draw = Random(seed)
        self._env = simpy.Environment()
        self._houses = simpy.Resource(self._env, fleet.houses)
        self._waiting: list[SimulatedMatchState] = []
        self._idle: deque[simpy.Event] = deque()
        self._playing: dict[int, simpy.Process] = {}
        self._made, self._recorded, self._all = 0, 0, simpy.Event(self._env)
        self.outcome = FleetSimulationResults()

    def run(self) -> FleetSimulationResults:
        """Run the simulation until the results of all matches are recorded, and return its outcome."""
        for number in range(self._fleet.workers):
            self._env.process(self._worker(number))
        for _ in range(self._load.leagues):
            self._env.process(self._league(self._draw.uniform(0, self._load.spread)))
        self._env.process(self._ask())
        self._env.process(self._crash_at_random())
        for moment in self._fleet.kills:
            self._env.process(self._kill(moment))
        if self._load.total:
            self._env.run(until=self._all)
        self.outcome.seconds = self._env.now
        self.outcome.queue.add(0, self._env.now)
        return self.outcome

    # --- leagues and matches

    def _league(self, begin: float) -> SimulationProcess:
        yield self._env.timeout(begin)
        self._pair(SimulatedLeagueState(simpy.Resource(self._env)))

    def _pair(self, league: SimulatedLeagueState) -> None:
        league.round, league.open = league.round + 1, self._load.matches
        for _ in range(self._load.matches):
            self._put(self._job(league))

    def _ask(self) -> SimulationProcess:
        for _ in range(self._load.bouts):
            yield self._env.timeout(self._draw.expovariate(self._load.bouts_a_second))
            self._put(self._job(None))

    def _job(self, league: SimulatedLeagueState | None) -> SimulatedMatchState:
        times, self._made = self._times, self._made + 1
        length = self._draw.expovariate(1 / times.mean_play) if times.exponential else self._draw.choice(times.play)
        return SimulatedMatchState(born=self._env.now, number=self._made, league=league, length=length)

    def _put(self, job: SimulatedMatchState) -> None:
        job.since = self._env.now
        self.outcome.queue.add(1, self._env.now)
        if self._idle:
            self._idle.popleft().succeed(job)
        else:
            heapq.heappush(self._waiting, job)

    # --- workers

    def _worker(self, number: int) -> SimulationProcess:
        while True:
            if self._waiting:
                job, seconds = heapq.heappop(self._waiting), self._draw.choice(self._times.handover)
            else:
                self._idle.append(rung := self._env.event())
                job, seconds = (yield rung), self._draw.choice(self._times.begin)
            yield self._env.timeout(seconds)
            yield from self._play(number, job)

    def _play(self, number: int, job: SimulatedMatchState) -> SimulationProcess:
        now, job.attempts = self._env.now, job.attempts + 1
        self.outcome.queue.add(-1, now)
        (self.outcome.waits if job.attempts == 1 else self.outcome.waits_again).append(now - job.since)
        if job.attempts > self._rules.attempts:
            self._end(job, self.outcome.void)
            return
        again = job.done * self._times.replay
        self.outcome.lost += again * self._times.processor
        process = self._env.active_process
        assert process is not None
        self._playing[number] = process
        try:
            yield self._env.timeout(again + job.length - job.done)
        except simpy.Interrupt:
            self._die(job, now, again)
            yield self._env.timeout(self._rules.away)
        else:
            del self._playing[number]
            self.outcome.busy += self._env.now - now
            self._end(job, self.outcome.closed)

    def _end(self, job: SimulatedMatchState, where: list[int]) -> None:
        where.append(job.number)
        self.outcome.makespan = self._env.now
        if job.league:
            job.league.ended.append(job)
        self._env.process(self._record(job))

    # --- crashes

    def _crash_at_random(self) -> SimulationProcess:
        rate = self._fleet.workers * self._fleet.crashes_an_hour / HOUR
        while rate:
            yield self._env.timeout(self._draw.expovariate(rate))
            self._kill_worker(self._draw.randrange(self._fleet.workers))

    def _kill(self, moment: float) -> SimulationProcess:
        yield self._env.timeout(moment)
        if self._playing:
            self._kill_worker(self._draw.choice(sorted(self._playing)))

    def _kill_worker(self, number: int) -> None:
        """Kill the worker with this number; killing an idle worker has no effect."""
        if struck := self._playing.pop(number, None):
            struck.interrupt()

    def _die(self, job: SimulatedMatchState, claimed: float, again: float) -> None:
        now = self._env.now
        played = max(0.0, now - claimed - again)
        kept = max(0.0, played - self._draw.uniform(0, self._rules.page))
        self.outcome.crashes += 1
        self.outcome.busy += now - claimed
        self.outcome.lost += (played - kept) * self._times.processor
        job.done += kept
        self._env.process(self._requeue_after_lease(job, claimed))

    def _requeue_after_lease(self, job: SimulatedMatchState, claimed: float) -> SimulationProcess:
        """Return a dead worker's match to the queue when the worker's lease has expired."""
        # Idle workers get the match only from the next periodic sweep.
        died, beat = self._env.now, self._rules.beat
        over = claimed + (died - claimed) // beat * beat + self._rules.lease
        yield self._env.timeout(over - died)
        if self._idle:
            yield self._env.timeout(-self._env.now % self._rules.sweep)
        self.outcome.leases.append(self._env.now - died)
        self._put(job)

    # --- recording of results

    def _record(self, job: SimulatedMatchState) -> SimulationProcess:
        rung = self._env.now
        with self._houses.request() as house:
            yield house
            self.outcome.houses.append(self._env.now - rung)
            last = False
            yield self._env.timeout(self._times.house)
            if job.league is None:
                yield self._env.timeout(self._times.record)
            elif not job.recorded:
                last = yield from self._record_ended(job.league)
        self._recorded += 1
        if self._recorded == self._load.total:
            self._all.succeed()
        elif job.league and last and job.league.round < self._load.rounds:
            yield self._env.timeout(self._draw.choice(self._times.pause))
            self._pair(job.league)

    def _record_ended(self, league: SimulatedLeagueState) -> Generator[simpy.Event, Any, bool]:
        """Lock a league and record the results of its ended matches. Return True if the round is then complete."""
        asked = self._env.now
        with league.lock.request() as held:
            yield held
            self.outcome.locks.append(self._env.now - asked)
            found, league.ended = league.ended, []
            if not found:
                return False
            league.open -= len(found)
            seconds = self._times.record + self._times.more * (len(found) - 1)
            yield self._env.timeout(seconds + (0 if league.open else self._times.turn))
            for job in found:
                job.recorded = True
            return not league.open
