"""A fleet, reckoned event by event: queue, leases, crashes, houses, and the locks of the leagues.

Workers take the oldest match that waits. One that dies leaves its match to its lease; when that is over, a worker that
looks takes it at once, an idle one when the next sweep has rung, and goes on behind its last page. A house records
under a league's lock whatever of it has ended; the last one of a round holds it for the turn, too. Nothing here is
measured: `scenario` says what goes in. The same seed gives the same course.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import simpy

from tests.support.capacity.outcome import Outcome
from tests.support.capacity.scenario import Fleet, Load, Rules, Times

Course = Generator[simpy.Event, Any, None]
HOUR = 3600.0


@dataclass(slots=True, eq=False)
class League:
    """A league as far as workers and houses see it."""

    lock: simpy.Resource
    round: int = 0
    open: int = 0
    """Matches of its round that are not recorded."""
    ended: list[Job] = field(default_factory=list)
    """Those of them that have ended: whoever holds the lock next records them all."""


@dataclass(slots=True, eq=False)
class Job:
    """A match on its way."""

    born: float
    number: int
    league: League | None
    length: float
    """Seconds of play that it takes."""
    since: float = 0.0
    """From when on it has waited this time."""
    done: float = 0.0
    """Seconds of play that are in its pages."""
    attempts: int = 0
    recorded: bool = False

    def __lt__(self, other: Job) -> bool:
        return (self.born, self.number) < (other.born, other.number)


class Simulation:
    """One course of events."""

    def __init__(self, fleet: Fleet, load: Load, times: Times, rules: Rules, seed: int = 0) -> None:
        self._fleet, self._load, self._times, self._rules = fleet, load, times, rules
        self._draw = Random(seed)
        self._env = simpy.Environment()
        self._houses = simpy.Resource(self._env, fleet.houses)
        self._waiting: list[Job] = []
        self._idle: deque[simpy.Event] = deque()
        self._playing: dict[int, simpy.Process] = {}
        self._made, self._recorded, self._all = 0, 0, simpy.Event(self._env)
        self.outcome = Outcome()

    def run(self) -> Outcome:
        """Let everything happen until every match is recorded."""
        for number in range(self._fleet.workers):
            self._env.process(self._worker(number))
        for _ in range(self._load.leagues):
            self._env.process(self._league(self._draw.uniform(0, self._load.spread)))
        self._env.process(self._ask())
        self._env.process(self._fate())
        for moment in self._fleet.kills:
            self._env.process(self._kill(moment))
        if self._load.total:
            self._env.run(until=self._all)
        self.outcome.seconds = self._env.now
        self.outcome.queue.add(0, self._env.now)
        return self.outcome

    # --- what is to be played

    def _league(self, begin: float) -> Course:
        yield self._env.timeout(begin)
        self._pair(League(simpy.Resource(self._env)))

    def _pair(self, league: League) -> None:
        league.round, league.open = league.round + 1, self._load.matches
        for _ in range(self._load.matches):
            self._put(self._job(league))

    def _ask(self) -> Course:
        for _ in range(self._load.bouts):
            yield self._env.timeout(self._draw.expovariate(self._load.bouts_a_second))
            self._put(self._job(None))

    def _job(self, league: League | None) -> Job:
        times, self._made = self._times, self._made + 1
        length = self._draw.expovariate(1 / times.mean_play) if times.exponential else self._draw.choice(times.play)
        return Job(self._env.now, self._made, league, length)

    def _put(self, job: Job) -> None:
        job.since = self._env.now
        self.outcome.queue.add(1, self._env.now)
        if self._idle:
            self._idle.popleft().succeed(job)
        else:
            heapq.heappush(self._waiting, job)

    # --- who plays

    def _worker(self, number: int) -> Course:
        while True:
            if self._waiting:
                job, seconds = heapq.heappop(self._waiting), self._draw.choice(self._times.handover)
            else:
                self._idle.append(rung := self._env.event())
                job, seconds = (yield rung), self._draw.choice(self._times.begin)
            yield self._env.timeout(seconds)
            yield from self._play(number, job)

    def _play(self, number: int, job: Job) -> Course:
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

    def _end(self, job: Job, where: list[int]) -> None:
        where.append(job.number)
        self.outcome.makespan = self._env.now
        if job.league:
            job.league.ended.append(job)
        self._env.process(self._record(job))

    # --- who dies

    def _fate(self) -> Course:
        rate = self._fleet.workers * self._fleet.crashes_an_hour / HOUR
        while rate:
            yield self._env.timeout(self._draw.expovariate(rate))
            self._strike(self._draw.randrange(self._fleet.workers))

    def _kill(self, moment: float) -> Course:
        yield self._env.timeout(moment)
        if self._playing:
            self._strike(self._draw.choice(sorted(self._playing)))

    def _strike(self, number: int) -> None:
        """Kill a worker; one that holds nothing is not missed."""
        if struck := self._playing.pop(number, None):
            struck.interrupt()

    def _die(self, job: Job, claimed: float, again: float) -> None:
        now = self._env.now
        played = max(0.0, now - claimed - again)
        kept = max(0.0, played - self._draw.uniform(0, self._rules.page))
        self.outcome.crashes += 1
        self.outcome.busy += now - claimed
        self.outcome.lost += (played - kept) * self._times.processor
        job.done += kept
        self._env.process(self._lapse(job, claimed))

    def _lapse(self, job: Job, claimed: float) -> Course:
        """Wait for the lease, and for a sweep where nobody looks by himself."""
        died, beat = self._env.now, self._rules.beat
        over = claimed + (died - claimed) // beat * beat + self._rules.lease
        yield self._env.timeout(over - died)
        if self._idle:
            yield self._env.timeout(-self._env.now % self._rules.sweep)
        self.outcome.leases.append(self._env.now - died)
        self._put(job)

    # --- who records

    def _record(self, job: Job) -> Course:
        rung = self._env.now
        with self._houses.request() as house:
            yield house
            self.outcome.houses.append(self._env.now - rung)
            last = False
            yield self._env.timeout(self._times.house)
            if job.league is None:
                yield self._env.timeout(self._times.record)
            elif not job.recorded:
                last = yield from self._enter(job.league)
        self._recorded += 1
        if self._recorded == self._load.total:
            self._all.succeed()
        elif job.league and last and job.league.round < self._load.rounds:
            yield self._env.timeout(self._draw.choice(self._times.pause))
            self._pair(job.league)

    def _enter(self, league: League) -> Generator[simpy.Event, Any, bool]:
        """Record under the league's lock whatever of it has ended; return whether the round is over with it."""
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
