"""Pauses of the worker, during which its bots usually stand still too: a paused container, a suspended machine."""

from __future__ import annotations

import time

MIN_PAUSE_US = 200_000
"""Minimum length of a pause in microseconds: ten times the interval at which a worker looks at the clocks of a bot that
computes. A bot that sleeps during an ordinary wait of the worker therefore stays charged."""


class WorkerPauses:
    """Sum of the long times in which this process, the worker, and its bot did not run and did not wait to run."""

    def __init__(self) -> None:
        self._total_us = 0
        self._before: tuple[int, ...] = ()

    def read_total_us(self, *, wall: int, worker_queued: int, bot_busy: int) -> int:
        """Return the microseconds of all pauses since the first call.

        The arguments are clocks in microseconds: wall time, the worker's wait for a processor, and the bot's CPU time
        with its wait for a processor. Time since the last call belongs to a pause if the worker neither computed nor
        waited for a processor, and the bot did neither. It is ignored if it is shorter than `MIN_PAUSE_US`.
        """
        now = (wall, worker_queued, time.process_time_ns() // 1000, bot_busy)
        passed, queued, computed, busy = (new - old for new, old in zip(now, self._before or now, strict=True))
        unexplained = passed - queued - max(computed, busy)
        self._total_us += unexplained if unexplained >= MIN_PAUSE_US else 0
        self._before = now
        return self._total_us
