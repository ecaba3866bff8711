"""Results of the simulation of a fleet: workers that play matches, and processes that record the results."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class TimeAveragedQueueLength:
    """Length of a queue, and the integral of the length over time."""

    # The integral divided by the elapsed time is the mean length.

    now: int = 0
    area: float = 0.0
    """Integral of the count over time, in seconds."""
    since: float = 0.0

    def add(self, more: int, at: float) -> None:
        """Change the length of the queue by `more` at the time `at`. A negative `more` shortens the queue."""
        self.area += self.now * (at - self.since)
        self.now, self.since = self.now + more, at


@dataclass(slots=True, kw_only=True)
class FleetSimulationResults:
    """Result of a simulation of many workers that play leagues; all times are in seconds."""

    closed: list[int] = field(default_factory=list)
    """Numbers of the matches that were played to their end, in the order of their ends."""
    void: list[int] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    """Age of each match when a worker opened it for the first time."""
    waits_again: list[float] = field(default_factory=list)
    """Time that each interrupted match waited for another worker after its lease had expired."""
    leases: list[float] = field(default_factory=list)
    """Time from each death of a worker until its match could be taken by another worker."""
    lost: float = 0.0
    """Processor seconds wasted by crashes: for decisions that were lost, and for replays of interrupted matches."""
    crashes: int = 0
    """Number of crashes of workers that were playing."""
    locks: list[float] = field(default_factory=list)
    """Time that each result waited for its league's lock, while occupying an `ftk-house` process."""
    houses: list[float] = field(default_factory=list)
    """Time that each result waited for a free `ftk-house` process, which records results."""
    busy: float = 0.0
    """Total time that all workers played."""
    makespan: float = 0.0
    """Time when the last match was closed."""
    seconds: float = 0.0
    """Time when the last result was recorded."""
    queue: TimeAveragedQueueLength = field(default_factory=TimeAveragedQueueLength)
