"""Rounding of answer times, so that opponents cannot infer from them what a bot considered."""
# In some games, opponents must not learn that a seat has only one possible action. The seat's bot is then not asked,
# but the match waits as long as this bot usually takes to answer.

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator
from statistics import median

FIRST_GUESS_US = 1000
"""Assumed answer time in microseconds before any player has answered."""
REMEMBERED_ANSWERS = 31
"""Number of a bot's latest answers. Their median time is the bot's usual time."""

MIN_RELEASE_US = 900
"""Minimum time in microseconds before an answer is released, so that all faster answers look alike."""


def release_time_us(took_us: int, move_ms: int, factor: int) -> int:
    """Round an answer time up to the next step of a grid, in microseconds.

    One step is the time limit, `move_ms` milliseconds. Each step is about `factor` times the step before. If `factor`
    is less than 2, return the time unchanged. In the example, the time limit is 1,000 ms, and the factor is 4.

    >>> [release_time_us(took, 1000, 4) for took in (70, 3_000, 300_000, 1_000_000, 1_000_001)]
    [976, 3906, 1000000, 1000000, 4000000]
    """
    # The answer is held back until this time. A time limit below `MIN_RELEASE_US` is no step.
    if factor < 2:
        return took_us
    point = max(move_ms * 1000, MIN_RELEASE_US)
    while point < took_us:
        point *= factor
    while point // factor >= max(took_us, MIN_RELEASE_US):
        point //= factor
    return point


class RecentAnswerTimes:
    """Recent answer times of all players of a match."""

    def __init__(self, grid: int = 0) -> None:
        """Set `grid`, the factor between two steps of the time grid; with 0, times are not rounded."""
        self.grid = grid
        self._took: defaultdict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=REMEMBERED_ANSWERS))

    def note(self, player: Hashable, microseconds: int) -> None:
        """Store how long a player took for an answer."""
        # The time that its process needed to start does not belong to it.
        self._took[player].append(microseconds)

    def median_answer_time_us(self, player: Hashable) -> int:
        """Return a player's median answer time in microseconds. Without answers, return the median of all players."""
        return int(median(self._took.get(player) or list(self._all()) or [FIRST_GUESS_US]))

    def _all(self) -> Iterator[int]:
        for answers in self._took.values():
            yield from answers
