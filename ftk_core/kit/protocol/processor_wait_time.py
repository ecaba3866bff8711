"""Time that the threads of a process have waited for a processor."""

from __future__ import annotations

import os
from typing import NamedTuple


class OtherThreadWaits(NamedTuple):
    """Waits for a processor of a process's threads other than the first, in microseconds."""

    total: int
    longest: int
    """The longest wait of one thread."""


class ThreadReading(NamedTuple):
    """Counters of a thread."""

    counters: bytes
    waited: int
    still_since: int
    """Time of the last reading before the counters changed. A wait that the kernel has not reported began later."""


class ProcessorWaitTime:
    """Time that the threads of a process have waited for a processor."""

    # Source: the second field of /proc/PID/schedstat.

    def __init__(self, pid: int | str) -> None:
        self._pid = pid
        self._by_thread: dict[str, ThreadReading] = {}
        self._read_at = 0
        try:
            self._file = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)
        except OSError:
            self._file = -1

    @property
    def is_measured(self) -> bool:
        """True if the kernel reports how long this process waits for a processor."""
        return self._file >= 0

    @property
    def us(self) -> int:
        """Microseconds that the main thread waited for a processor; 0 if that is unknown."""
        if self._file < 0:
            return 0
        try:
            return _waited_us(os.pread(self._file, 64, 0))
        except OSError:  # the process has ended
            return 0

    def read_other_threads(self, wall: int) -> OtherThreadWaits:
        """Return how long other threads waited for a processor since the last call. `wall` is the current time."""
        # Programs in Java and Go have many threads.
        waits, before, readings = [0], self._read_at, dict[str, ThreadReading]()
        for thread in _list_threads(self._pid):
            counters, old = _read(f"/proc/{self._pid}/task/{thread}/schedstat"), self._by_thread.get(thread)
            if old is not None and counters == old.counters:
                readings[thread] = old
            else:
                readings[thread] = ThreadReading(counters, _waited_us(counters), before)
            if thread != str(self._pid):
                waits.append(max(0, readings[thread].waited - (old.waited if old else 0)))
        self._by_thread, self._read_at = readings, wall  # without threads that have ended
        return OtherThreadWaits(sum(waits), max(waits))

    def find_waiting_since(self) -> int | None:
        """Return the time since which a thread may wait for a processor; None if no thread runs or waits."""
        # An earlier wait, or one of a thread that ran meanwhile, was reported by the last `read_other_threads`.
        readings = [self._by_thread.get(thread) for thread in _list_threads(self._pid) if _runs(self._pid, thread)]
        return min((reading.still_since if reading else self._read_at for reading in readings), default=None)

    def close(self) -> None:
        """Close the file in /proc."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _waited_us(counters: bytes) -> int:
    try:
        return int(counters.split()[1]) // 1000
    except (ValueError, IndexError):
        return 0


def _list_threads(pid: int | str) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:  # the process has ended, or this is not Linux
        return []


def _runs(pid: int | str, thread: str) -> bool:
    """Return True if a thread runs or waits for a processor."""
    return read_state(f"/proc/{pid}/task/{thread}/stat") == b"R"


def read_state(path: str) -> bytes:
    """Return the kernel's letter for the state of a process, such as R or S; empty if it has ended."""
    return next(iter(_read(path).rpartition(b")")[2].split()), b"")


def _read(path: str) -> bytes:
    """Return the content of a file in /proc; empty if its process has ended."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""
