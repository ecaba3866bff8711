"""History of a bot's sleep within one question."""
# The kernel reports a wait for a processor when it ends. Until then it looks like sleep, and then only the sleep of the
# wait's own period may be excused by it.

from __future__ import annotations

from bisect import bisect_right

MIN_STEP_US = 5000
"""Minimum time in microseconds between two entries, which bounds their number if a bot writes single bytes."""


class IdleTimeHistory:
    """A bot's total sleep at earlier moments of a question, all in microseconds since its start."""

    def __init__(self) -> None:
        self._walls, self._idles = [0], [0]

    def record(self, wall: int, idle: int) -> None:
        """Store the total sleep at the time `wall`."""
        # If earlier sleep has turned out to be a wait, the earlier totals were too high.
        for place in range(len(self._idles) - 1, -1, -1):
            if self._idles[place] <= idle:
                break
            self._idles[place] = idle
        if wall - self._walls[-1] >= MIN_STEP_US:
            self._walls.append(wall)
            self._idles.append(idle)

    def total_at(self, wall: int) -> int:
        """Return the total sleep at the time `wall`, or a little earlier."""
        return self._idles[max(0, bisect_right(self._walls, wall) - 1)]
