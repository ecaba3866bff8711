"""Inputs of the simulation of many workers (their number, matches, durations), and queueing formulas to check it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedFleet:
    """The processes of a simulated installation: their numbers, and when its workers crash."""

    workers: int
    houses: int = 1
    """Number of `ftk-house` processes, which record results; each handles one result at a time."""
    crashes_an_hour: float = 0.0
    """Mean number of crashes of each worker per hour, at random times."""
    kills: tuple[float, ...] = ()
    """Times in seconds; at each time, one of the workers that are playing is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedLoad:
    """Number of leagues and matches to play in a simulation, and the times at which they begin."""

    leagues: int = 0
    rounds: int = 1
    matches: int = 1
    """Number of matches in each round, all of which wait from the round's beginning."""
    spread: float = 0.0
    """Length in seconds of the period in which leagues begin, at random times."""
    bouts: int = 0
    """Number of matches outside leagues."""
    bouts_a_second: float = 1.0
    """Mean number of matches outside leagues that are requested per second (a Poisson process)."""

    @property
    def total(self) -> int:
        """Total number of matches, in leagues and outside leagues."""
        return self.leagues * self.rounds * self.matches + self.bouts


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedStepDurations:
    """Durations of the steps in a simulation, in seconds. The fields `replay` and `processor` are shares instead.

    A tuple contains measured durations. Each time that the step occurs, the simulation draws one of them at random.
    """

    play: tuple[float, ...]
    """Duration of a match from its opening to its closing."""
    handover: tuple[float, ...] = (0.0,)
    """Time until a worker that has closed a match has opened the next waiting match."""
    begin: tuple[float, ...] = (0.0,)
    """Time until an idle worker has opened a new match."""
    record: float = 0.0
    """Time to record a result, during which the league is locked."""
    house: float = 0.0
    """Further time of an `ftk-house` process for each result, without a lock."""
    more: float = 0.0
    """Time to record each further result of the same league in the same transaction."""
    turn: float = 0.0
    """Time for which the league is locked to close a round and pair the next one."""
    pause: tuple[float, ...] = (0.0,)
    """Time from a round's last result until the next round's matches exist, in addition to `record` and `turn`."""
    replay: float = 0.0
    """Time to replay an interrupted match, as a share of the time that was played."""
    processor: float = 1.0
    """Share of a match's duration in which it uses a processor."""
    exponential: bool = False
    """If True, match durations are drawn from the exponential distribution with the mean of `play`."""

    @property
    def mean_play(self) -> float:
        """Mean duration of a match in seconds."""
        return sum(self.play) / len(self.play)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedArenaSettings:
    """Settings of a site that the simulation needs; times are in seconds."""

    lease: float
    """Time from the last renewal of a lease until the lease expires."""
    sweep: float
    """Interval at which a periodic task looks for matches without a worker."""
    page: float
    """Maximum time until a decision is stored in a page of the log; unstored decisions are lost in a crash."""
    attempts: int
    """Maximum number of attempts at a match before it is given up."""
    away: float
    """Time until a crashed worker process is replaced."""

    @property
    def beat(self) -> float:
        """Interval in seconds at which a worker renews its lease, the right to play its match."""
        return self.lease / 3
