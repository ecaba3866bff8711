"""What came of a fleet that was reckoned."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """How many of something there are, and how many there were on the average."""

    now: int = 0
    area: float = 0.0
    """Their number, added up over the seconds."""
    since: float = 0.0

    def add(self, more: int, at: float) -> None:
        """Count more (or fewer) from a moment on."""
        self.area += self.now * (at - self.since)
        self.now, self.since = self.now + more, at


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What came of it; times in seconds."""

    closed: list[int] = field(default_factory=list)
    """The numbers of the matches that ended well, in that order."""
    void: list[int] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    """How old each match was when it was opened."""
    waits_again: list[float] = field(default_factory=list)
    """How long it waited for another worker once its lease was over."""
    leases: list[float] = field(default_factory=list)
    """How long it was nobody's before."""
    lost: float = 0.0
    """Processor seconds that were spent for nothing: choices without a page, and what had to be replayed."""
    crashes: int = 0
    """Of workers that were playing."""
    locks: list[float] = field(default_factory=list)
    """How long each result waited for its league's lock, in the hands of a house."""
    houses: list[float] = field(default_factory=list)
    """How long each result waited for a house."""
    busy: float = 0.0
    """Seconds that workers played."""
    makespan: float = 0.0
    """When the last match was closed."""
    seconds: float = 0.0
    """When the last result was recorded."""
    queue: Tally = field(default_factory=Tally)
