"""The time that the bots of one match take, as the others at the table may see it: on a coarse grid, asked or not."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator
from statistics import median

FIRST_GUESS_US = 1000
"""How long an answer is taken to be while nobody has given one."""
REMEMBERED = 31
"""How many of a bot's last answers count."""

SHORTEST_US = 900
"""No answer is released sooner: what is faster looks alike."""


def released_us(took_us: int, move_ms: int, factor: int) -> int:
    """Return when an answer is released to the table: at the next point of a geometric grid through the move's time.

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
    """The answers of one match, by seat; all its players share one."""

    def __init__(self, grid: int = 0) -> None:
        """Take the factor between two points of the grid; without one answers are released as they come."""
        self.grid = grid
        self._took: defaultdict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def note(self, who: Hashable, microseconds: int) -> None:
        """Note how long somebody took for an answer; what starting took does not belong here."""
        self._took[who].append(microseconds)

    def usual(self, who: Hashable) -> int:
        """Return about how long somebody takes, in microseconds: by his own answers, else by everybody's."""
        return int(median(self._took.get(who) or list(self._all()) or [FIRST_GUESS_US]))

    def _all(self) -> Iterator[int]:
        for answers in self._took.values():
            yield from answers
