"""Measurement of pauses in which this process did not run, for example because the machine was suspended."""
# The bots of a paused worker usually stand still, too: a pause must not count as sleep of a bot.

from __future__ import annotations

import time

MIN_PAUSE_US = 200_000
"""Minimum length of a pause in microseconds: ten times the interval at which a worker looks at the clocks of a bot that
computes. A bot that sleeps during an ordinary wait of the worker therefore stays charged."""


class WorkerStallTime:
    """Total length of the pauses in which this process did not run, as on a suspended machine."""

    # A pause is a long time in which neither this process nor its bot uses a processor or waits for one.

    def __init__(self) -> None:
        self._total_us = 0
        self._before: tuple[int, ...] = ()

    def read_total_us(self, *, wall: int, worker_queued: int, bot_busy: int) -> int:
        """Return the microseconds of all pauses since the first call.

        The arguments are in microseconds. `wall` is the reading of the wall clock. `worker_queued` is the total time
        that this process waited for a processor. `bot_busy` is the total time that the bot computed or waited for a
        processor.
        """
        # A pause is wall time that neither this process's wait nor the longer of the two busy times explains.
        now = (wall, worker_queued, time.process_time_ns() // 1000, bot_busy)
        passed, queued, computed, busy = (new - old for new, old in zip(now, self._before or now, strict=True))
        unexplained = passed - queued - max(computed, busy)
        self._total_us += unexplained if unexplained >= MIN_PAUSE_US else 0
        self._before = now
        return self._total_us
