"""What a bot's process spends: computing, waiting for a processor, and sleeping, told apart."""

from __future__ import annotations

import time


def cpu_us(pid: int) -> int:
    """Return the CPU time a process has used, in microseconds (0 once it is gone)."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2) // 1000
    except OSError:
        return 0


def queued_us(pid: int) -> int:
    """Return how long a process has waited for a processor, in microseconds (0 where the kernel does not say)."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) // 1000
    except (OSError, ValueError, IndexError):
        return 0


class Idleness:
    """How long a process has neither computed nor waited for a processor since a moment."""

    def __init__(self, pid: int) -> None:
        self._pid, self._busy_us = pid, 0
        self._start = self._idle_clock()

    def _idle_clock(self) -> int:
        # never backwards: a process that has just ended has no clock any more, but was not asleep all its life
        self._busy_us = max(self._busy_us, cpu_us(self._pid) + queued_us(self._pid))
        return time.monotonic_ns() // 1000 - self._busy_us

    @property
    def ms(self) -> int:
        """Milliseconds asleep since the start."""
        return (self._idle_clock() - self._start) // 1000
