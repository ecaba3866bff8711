"""A kernel timer that ends this process when a duty is late.

The signal has its default action, so it ends even a process that runs no more Python: `Thread.start` waits forever for
a thread that found no memory to start.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings

CONSUMER: Final = "consumer"
"""Duty of a worker's main process: to check its queues."""
LEASES: Final = "leases"
"""Duty of a process that plays matches: to renew their leases."""
RING: Final = "ring"
"""Duty of a thread that enqueues: a broker's client may start threads."""
TRIAL: Final = "trial"
REVIEW: Final = "review"
PATIENCE: Final = {TRIAL: 10, REVIEW: 10}
"""Multipliers of the deadline: trials compile, and reviews run at the lowest priority."""


class _Watchdog:
    """Deadlines of this process, by duty."""

    def __init__(self) -> None:
        self.active = False
        self._due: dict[str, float] = {}
        self._lock = threading.Lock()

    def begin(self) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        self._due, self._lock, self.active = {}, threading.Lock(), settings.WATCHDOG_SECONDS > 0
        self._set_timer()

    def touch(self, duty: str) -> None:
        with self._lock:
            self._due[duty] = time.monotonic() + settings.WATCHDOG_SECONDS * PATIENCE.get(duty, 1)
            self._set_timer()

    def release(self, duty: str) -> None:
        with self._lock:
            self._due.pop(duty, None)
            self._set_timer()

    def _set_timer(self) -> None:
        first = min(self._due.values(), default=None)
        signal.setitimer(signal.ITIMER_REAL, max(0.001, first - time.monotonic()) if first else 0)


_WATCHDOG = _Watchdog()


def begin() -> None:
    """Watch this process, which has no duty yet. Call it in the main thread, and again after a fork."""
    _WATCHDOG.begin()


def touch(duty: str) -> None:
    """End this process unless the duty is touched or released within `WATCHDOG_SECONDS` times its patience."""
    if _WATCHDOG.active:
        _WATCHDOG.touch(duty)


def release(duty: str) -> None:
    """Remove the deadline of the duty."""
    if _WATCHDOG.active:
        _WATCHDOG.release(duty)


@contextmanager
def ringing() -> Iterator[None]:
    """End this process unless the block ends within `WATCHDOG_SECONDS`, in any thread."""
    duty = f"{RING} {threading.get_ident()}"
    touch(duty)
    try:
        yield
    finally:
        release(duty)


def touching(duty: str, check: Callable[[], object]) -> Callable[[], None]:
    """Wrap a check of a worker's event loop so that it also touches the duty."""

    def touch_and_check() -> None:
        touch(duty)
        try:
            check()
        except SystemExit:  # the process is leaving and may wait long for its matches
            release(duty)
            raise

    return touch_and_check
