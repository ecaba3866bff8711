"""Pauses of the worker, the process that asks bots their questions, such as a paused container or a suspended machine.

The bots of a paused worker usually stand still, too.
"""

from __future__ import annotations

import time

MIN_PAUSE_US = 200_000
"""Minimum length of a pause in microseconds: ten times the interval at which a worker looks at the clocks of a bot that
computes. A bot that sleeps during an ordinary wait of the worker therefore stays charged."""


class WorkerStallTime:
    """Total length of the stalls of this process, the worker.

    A stall is a long time in which neither the worker nor its bot computes or waits for a processor.
    """

    def __init__(self) -> None:
        self._total_us = 0
        self._before: tuple[int, ...] = ()

    def read_total_us(self, *, wall: int, worker_queued: int, bot_busy: int) -> int:
        """Return the microseconds of all pauses since the first call.

        The arguments are clocks in microseconds: `wall` is a clock that never stops, `worker_queued` the worker's wait
        for a processor, and `bot_busy` the sum of the bot's CPU time and its wait for a processor. The time since the
        last call is a pause as far as these clocks and the worker's CPU time do not explain it. A pause shorter than
        `MIN_PAUSE_US` is ignored.
        """
        now = (wall, worker_queued, time.process_time_ns() // 1000, bot_busy)
        passed, queued, computed, busy = (new - old for new, old in zip(now, self._before or now, strict=True))
        unexplained = passed - queued - max(computed, busy)
        self._total_us += unexplained if unexplained >= MIN_PAUSE_US else 0
        self._before = now
        return self._total_us
