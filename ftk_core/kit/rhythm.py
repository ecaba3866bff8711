"""Rounding of answer times to a coarse grid, so that a table cannot infer from them what a bot considered.

A seat that was not asked takes its usual time, too.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator
from statistics import median

FIRST_GUESS_US = 1000
"""Assumed time of an answer before anybody has given one."""
REMEMBERED = 31
"""Number of a bot's latest answers that count."""

SHORTEST_US = 900
"""Minimum time before an answer is released, so that all faster answers look alike."""


def released_us(took_us: int, move_ms: int, factor: int) -> int:
    """Return the time at which an answer is released: the next point of a geometric grid through the move's time.

    >>> [released_us(took, 1000, 4) for took in (70, 3_000, 300_000, 1_000_000, 1_000_001)]
    [976, 3906, 1000000, 1000000, 4000000]
    """
    if factor < 2:
        return took_us
    point = max(move_ms * 1000, SHORTEST_US)
    while point < took_us:
        point *= factor
    while point // factor >= max(took_us, SHORTEST_US):
        point //= factor
    return point


class Rhythm:
    """Answer times of one match by player; all its players share one instance."""

    def __init__(self, grid: int = 0) -> None:
        """Set the factor between two points of the grid; with 0, answers are released immediately."""
        self.grid = grid
        self._took: defaultdict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def note(self, who: Hashable, microseconds: int) -> None:
        """Store the time of an answer, without the time of starting the process."""
        self._took[who].append(microseconds)

    def usual(self, who: Hashable) -> int:
        """Return the median time of a player's answers in microseconds; without any, that of all players."""
        return int(median(self._took.get(who) or list(self._all()) or [FIRST_GUESS_US]))

    def _all(self) -> Iterator[int]:
        for answers in self._took.values():
            yield from answers
