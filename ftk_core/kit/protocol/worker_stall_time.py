"""Pauses of the worker, the process that asks bots their questions, such as a paused container or a suspended machine.

The bots of a paused worker usually stand still, too, so a pause must not count as sleep of a bot.
"""

from __future__ import annotations

import time

MIN_PAUSE_US = 200_000
"""Minimum length of a pause in microseconds: ten times the interval at which a worker looks at the clocks of a bot that
computes. A bot that sleeps during an ordinary wait of the worker therefore stays charged."""


class WorkerStallTime:
    """Total length of the pauses of this process, the worker.

    A pause is a long time in which neither the worker nor its bot uses a processor or waits for one.
    """

    def __init__(self) -> None:
        self._total_us = 0
        self._before: tuple[int, ...] = ()

    def read_total_us(self, *, wall: int, worker_queued: int, bot_busy: int) -> int:
        """Return the microseconds of all pauses since the first call.

        The arguments are clocks in microseconds: `wall` is a clock that never stops, `worker_queued` the worker's wait
        for a processor, and `bot_busy` the sum of the bot's CPU time and its wait for a processor.

        From the wall time since the last call, two times are subtracted: the worker's wait for a processor, and either
        the worker's CPU time or `bot_busy`, whichever is longer. The rest is a pause if it is at least `MIN_PAUSE_US`.
        """
        now = (wall, worker_queued, time.process_time_ns() // 1000, bot_busy)
        passed, queued, computed, busy = (new - old for new, old in zip(now, self._before or now, strict=True))
        unexplained = passed - queued - max(computed, busy)
        self._total_us += unexplained if unexplained >= MIN_PAUSE_US else 0
        self._before = now
        return self._total_us
