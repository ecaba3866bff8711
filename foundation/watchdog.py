"""A timer in the kernel that ends this process when a duty is late.

The signal has its default action, so a process ends too in which no Python runs any more: `Thread.start` waits for ever
for a thread that found no memory to begin.
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
"""The duty of a worker's main process: to look at its queues."""
LEASES: Final = "leases"
"""The duty of a process that plays matches: to renew their leases."""
RING: Final = "ring"
"""The duty of a thread that rings: a broker's client may start threads."""
TRIAL: Final = "trial"
REVIEW: Final = "review"
PATIENCE: Final = {TRIAL: 10, REVIEW: 10}
"""Duties that may take several times as long: trials compile, and reviews get the time that nobody else wants."""


class _Watchdog:
    """The duties of this process, each with the time by which it is to be done again."""

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
    """Watch this process, which has no duty yet. To be called in its main thread, and again after a fork."""
    _WATCHDOG.begin()


def touch(duty: str) -> None:
    """End this process unless the duty is touched again, or released, within `WATCHDOG_SECONDS` times its patience."""
    if _WATCHDOG.active:
        _WATCHDOG.touch(duty)


def release(duty: str) -> None:
    """Expect the duty no longer."""
    if _WATCHDOG.active:
        _WATCHDOG.release(duty)


@contextmanager
def ringing() -> Iterator[None]:
    """End this process unless the block ends within `WATCHDOG_SECONDS`, in whichever thread it runs."""
    duty = f"{RING} {threading.get_ident()}"
    touch(duty)
    try:
        yield
    finally:
        release(duty)


def touching(duty: str, check: Callable[[], object]) -> Callable[[], None]:
    """Return a check of a worker's event loop that says as well that the loop runs."""

    def touch_and_check() -> None:
        touch(duty)
        try:
            check()
        except SystemExit:  # it leaves, and may wait long for what it plays
            release(duty)
            raise

    return touch_and_check
