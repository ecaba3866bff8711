"""Measurement of the time a bot's process spends computing, waiting for a processor, and sleeping."""

from __future__ import annotations

import contextlib
import os
import time
from typing import NamedTuple

from ftk_core.kit.protocol.worker_stall_time import WorkerStallTime
from ftk_core.players import DecisionTime


def _has_process_clocks() -> bool:
    """Return True if a process can read the CPU-time clocks of other processes on this system, as on Linux."""
    try:
        time.clock_gettime_ns((~os.getpid() << 3) | 2)
    except (AttributeError, OSError, OverflowError):
        return False
    return True


HAS_PROCESS_CLOCKS = _has_process_clocks()


def cpu_us(pid: int) -> int:
    """Return the CPU time of a process in microseconds; 0 after its end."""
    if not HAS_PROCESS_CLOCKS:
        return _psutil_cpu_us(pid)
    try:
        return time.clock_gettime_ns((~pid << 3) | 2) // 1000
    except OSError:
        return 0


def _psutil_cpu_us(pid: int) -> int:
    import psutil  # here, because it takes time to load

    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0
    return int((times.user + times.system) * 1_000_000)


def measures_waiting() -> bool:
    """Return True if this system measures how long a process waits for a processor."""
    own = RunQueueWaitTime("self")
    try:
        return own.is_measured
    finally:
        own.close()


ACCEPTED_IDLE_US = 1000
"""Sleep in microseconds above which all threads of the bot are read: the time may not be sleep, because threads other
than the first may have waited for a processor."""


class RunQueueWaitTime:
    """Time that the threads of a process have waited for a processor."""

    # Source: the second field of /proc/PID/schedstat.

    def __init__(self, pid: int | str) -> None:
        self._pid = pid
        self._by_thread: dict[str, int] = {}
        try:
            self._file = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)
        except OSError:
            self._file = -1

    @property
    def is_measured(self) -> bool:
        """True if the kernel reports how long the measured process waits for a processor."""
        return self._file >= 0

    @property
    def us(self) -> int:
        """Microseconds that the main thread waited for a processor; 0 if that is unknown."""
        return _waited_us(self._file) if self._file >= 0 else 0

    def read_other_threads_us(self) -> tuple[int, int]:
        """Return the sum and the longest of other threads' waits for a processor since the last call."""
        # In microseconds. Programs in Java and Go have many threads.
        total = longest = 0
        with contextlib.suppress(OSError):  # the process has ended
            for thread in os.listdir(f"/proc/{self._pid}/task"):
                if thread != str(self._pid):
                    waited = _thread_us(f"/proc/{self._pid}/task/{thread}/schedstat")
                    added = max(0, waited - self._by_thread.get(thread, 0))
                    total, longest = total + added, max(longest, added)
                    self._by_thread[thread] = waited
        return total, longest

    def close(self) -> None:
        """Close the file in /proc."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _waited_us(file: int) -> int:
    try:
        return int(os.pread(file, 64, 0).split()[1]) // 1000
    except (OSError, ValueError, IndexError):
        return 0


def _thread_us(path: str) -> int:
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:  # the thread has ended
        return 0
    try:
        return _waited_us(file)
    finally:
        os.close(file)


class BotClockReading(NamedTuple):
    """Values of all clocks of a bot at one moment, in microseconds."""

    wall: int
    cpu: int
    bot_queued: int
    worker_queued: int
    worker_paused: int = 0
    """Time in which the worker did not run for another reason (`WorkerStallTime`)."""


class BotProcessTimer:
    """Timer of one bot: wall time, CPU time, and waits for a processor."""

    # The worker is the process that asks the bot its questions. While it waits for a processor, it does not see the
    # bot's answer, and the bot may seem to sleep. Two such waits are therefore subtracted from the bot's sleep: the
    # wait before the bot could begin, and the wait since the worker last found the bot's pipe empty. Pauses of the
    # worker, in which the whole machine may have stood still, are always subtracted.

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._bot, self._worker = RunQueueWaitTime(pid), RunQueueWaitTime("self")
        self._busy, self._pauses = (0, 0), WorkerStallTime()
        self.start()

    def start(self, *, charges_earlier_cpu: bool = False) -> None:
        """Begin to measure the time for a question to the bot.

        With `charges_earlier_cpu`, also count the CPU time that the bot used between the last measurement and now.
        """
        computed = self._busy[0]
        now = self._now()
        self._from = now._replace(cpu=computed) if charges_earlier_cpu else now
        self._looked = self._silent_until = now
        self._until_begun_us: int | None = None
        self._others_us = self._others_until_us = 0
        self.certain_idle_us = 0
        """Sleep since `start` in microseconds that cannot be a wait for a processor, at the last call of `spent`."""

    def _now(self) -> BotClockReading:
        # The maximum keeps the clocks from running backwards: a process that has just ended has no CPU clock any more.
        self._busy = (max(self._busy[0], cpu_us(self._pid)), max(self._busy[1], self._bot.us))
        wall, queued, paused = time.monotonic_ns() // 1000, self._worker.us, 0
        if self._worker.is_measured:  # otherwise a wait for a processor would look like a pause
            paused = self._pauses.read_total_us(wall=wall, worker_queued=queued, bot_busy=sum(self._busy))
        return BotClockReading(wall, *self._busy, queued, paused)

    def spent(self, *, silent: bool = False) -> DecisionTime:
        """Return the bot's times since `start`: computing, sleeping, waiting for a processor, and all together.

        Pass `silent=True` if the bot had not answered yet at the previous call. Then it is not credited with the times
        before that call in which the worker waited for a processor.
        """
        # The worker's waits before the previous call then did not delay the answer: they stay in the bot's sleep.
        before = self._looked
        if silent:
            self._silent_until = before
        now = self._looked = self._now()
        if self._until_begun_us is None:
            self._until_begun_us = now.worker_queued - self._from.worker_queued
        begun = self._from.worker_queued + self._until_begun_us
        own_us = self._until_begun_us + now.worker_queued - max(begun, self._silent_until.worker_queued)
        wall, cpu = (max(0, now[place] - self._from[place]) for place in (0, 1))
        host_us = own_us + now.worker_paused - self._from.worker_paused
        idle = wall - cpu - (now.bot_queued - self._from.bot_queued) - host_us - self._others_us
        if idle > ACCEPTED_IDLE_US:
            idle -= self._read_others(wall)
        idle = max(0, idle)
        # A thread of the bot has run since the last call, so the kernel has added that thread's earlier waits.
        has_run = self._bot.is_measured and now.cpu > before.cpu
        self.certain_idle_us = max(0, idle - (now.wall - before.wall)) if has_run else 0
        return DecisionTime(cpu, idle, wall, max(0, wall - cpu - idle))

    def _read_others(self, wall_us: int) -> int:
        """Return how long the bot's other threads waited for a processor since the last call, in microseconds.

        `wall_us` is the elapsed time since `start`. The main thread is not counted.
        """
        # Threads that wait at the same time delay the bot once, so their waits are limited to the time since the last
        # reading. But the kernel adds a wait only when it ends, so the longest one counts in full. All together are
        # limited to the time since `start`.
        total, longest = self._bot.read_other_threads_us()
        added = max(longest, min(total, wall_us - self._others_until_us))
        added = min(added, wall_us - self._others_us)
        self._others_until_us = wall_us
        self._others_us += added
        return added

    @property
    def asleep(self) -> bool:
        """True if the bot's process has ended, or if it sleeps now and has used CPU time since `start`."""
        state = _state(f"/proc/{self._pid}/stat")
        return not state or (state == b"S" and cpu_us(self._pid) > self._from.cpu)

    @property
    def runnable(self) -> bool:
        """True if a thread of the bot runs or waits for a processor."""
        # The kernel may add the wait of such a bot to `RunQueueWaitTime` only later. It must not count as sleep.
        try:
            threads = os.listdir(f"/proc/{self._pid}/task")
        except OSError:  # the bot has ended, or this is not Linux
            return False
        return any(_state(f"/proc/{self._pid}/task/{thread}/stat") == b"R" for thread in threads)

    def close(self) -> None:
        """Close the files in /proc."""
        self._bot.close()
        self._worker.close()


def _state(path: str) -> bytes:
    """Return the kernel's letter for the state of a process, such as R or S; empty if it has ended."""
    try:
        with open(path, "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0]
    except OSError:
        return b""
