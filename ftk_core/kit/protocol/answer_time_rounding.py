"""Rounding of answer times to a coarse grid, so that opponents cannot infer from them what a bot considered.

In some games the others must not learn that a seat has only one possible action. The seat's bot is then not asked, and
the match waits for this bot's usual answer time instead, which is also computed here.
"""

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
    """Round an answer time up to the next point of a grid; return microseconds.

    Each point of the grid is `factor` times the point before; one of the points is the time limit `move_ms`. If
    `factor` is below 2, the time is returned unchanged.

    >>> [release_time_us(took, 1000, 4) for took in (70, 3_000, 300_000, 1_000_000, 1_000_001)]
    [976, 3906, 1000000, 1000000, 4000000]
    """
    if factor < 2:
        return took_us
    point = max(move_ms * 1000, MIN_RELEASE_US)
    while point < took_us:
        point *= factor
    while point // factor >= max(took_us, MIN_RELEASE_US):
        point //= factor
    return point


class RecentAnswerTimes:
    """Recent answer times of all players of a match, from which the usual answer time of each is computed."""

    def __init__(self, grid: int = 0) -> None:
        """Set the factor between two points of the time grid; with 0, answers are released immediately."""
        self.grid = grid
        self._took: defaultdict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=REMEMBERED_ANSWERS))

    def note(self, player: Hashable, microseconds: int) -> None:
        """Store the time of a player's answer, which must not include the start of its process."""
        self._took[player].append(microseconds)

    def median_answer_time_us(self, player: Hashable) -> int:
        """Return the median answer time of a player in microseconds; without answers, the median of all players."""
        return int(median(self._took.get(player) or list(self._all()) or [FIRST_GUESS_US]))

    def _all(self) -> Iterator[int]:
        for answers in self._took.values():
            yield from answers
