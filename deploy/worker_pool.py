"""Pool of Celery worker processes that survives the sudden death of any of its processes."""

from __future__ import annotations

import fcntl
import os
import weakref

from billiard.pool import Pool


class InterProcessLock:
    """Lock between processes that the kernel releases when its holder dies.

    Only one thread of a process may use it.
    """

    # Semaphores of `multiprocessing` and `billiard` stay locked for ever after SIGKILL. This is a POSIX record lock on
    # a file in memory.

    def __init__(self) -> None:
        self._descriptor = os.memfd_create("worker pool lock")
        weakref.finalize(self, os.close, self._descriptor)

    def acquire(self) -> bool:
        """Wait until no other process holds the lock, then take it."""
        fcntl.lockf(self._descriptor, fcntl.LOCK_EX)
        return True

    def release(self) -> None:
        """Let another process take the lock."""
        fcntl.lockf(self._descriptor, fcntl.LOCK_UN)

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_error: object) -> None:
        self.release()


class CrashSafePool(Pool):  # type: ignore[misc]  # billiard has no types
    """Pool of processes whose queues stay usable if a process dies while it holds a queue's lock."""

    def _setup_queues(self) -> None:
        super()._setup_queues()
        self._inqueue._rlock, self._outqueue._wlock = InterProcessLock(), InterProcessLock()
