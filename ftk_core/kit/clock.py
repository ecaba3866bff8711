"""What a bot's process spends: computing, waiting for a processor, and sleeping, told apart."""

from __future__ import annotations

import os
import time

from ftk_core.players import TimeSpent


def cpu_us(pid: int) -> int:
    """Return the CPU time a process has used, all threads, in microseconds (0 once it is gone)."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2) // 1000
    except OSError:
        return 0


class Queue:
    """How long a process has waited for a processor: the second field of its ``schedstat``."""

    def __init__(self, pid: int | str) -> None:
        try:
            self._file = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._file = -1

    @property
    def us(self) -> int:
        """Microseconds (0 where the kernel does not say)."""
        if self._file < 0:
            return 0
        try:
            return int(os.pread(self._file, 64, 0).split()[1]) // 1000
        except (OSError, ValueError, IndexError):
            return 0

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class Clocks:
    """The clocks of one bot: its own CPU clock, the queues it and we stand in, and the wall's."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._bot, self._we = Queue(pid), Queue("self")
        self._busy = (0, 0)
        self._from = (0, 0, 0)
        self.start()

    def start(self, *, going_on: bool = False) -> None:
        """Begin to measure; `going_on` charges what was computed since the last look, which nobody has paid for yet."""
        computed = self._busy[0]
        wall, cpu, queued = self._now()
        self._from = (wall, computed if going_on else cpu, queued)

    def _now(self) -> tuple[int, int, int]:
        # never backwards: a process that has just ended has no clock any more, but has not slept all its life
        self._busy = (max(self._busy[0], cpu_us(self._pid)), max(self._busy[1], self._bot.us))
        return time.monotonic_ns() // 1000, self._busy[0], self._busy[1] + self._we.us

    def spent(self) -> TimeSpent:
        """Return what was spent since the start; sleeping is what neither computing nor waiting explains."""
        wall, cpu, queued = (max(0, now - then) for now, then in zip(self._now(), self._from, strict=True))
        return TimeSpent(cpu, max(0, wall - cpu - queued), wall, queued)

    @property
    def asleep(self) -> bool:
        """Whether the bot has done something since the start and now waits for something."""
        try:
            with open(f"/proc/{self._pid}/stat", "rb") as stat:
                state = stat.read().rpartition(b")")[2].split()[0]
        except OSError:  # it has ended
            return True
        return state == b"S" and cpu_us(self._pid) > self._from[1]

    def close(self) -> None:
        """Let go of the files."""
        self._bot.close()
        self._we.close()
