"""A kernel timer that kills this process if a recurring activity misses its deadline."""
# SIGALRM has its default action, so it kills even a process in which Python code no longer runs, for example if
# `Thread.start` waits forever for a thread that could not start for lack of memory.

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from django.conf import settings

CONSUMER_DUTY: Final = "consumer"
"""Duty of a Celery worker's main process: to check its queues."""
LEASES_DUTY: Final = "leases"
"""Duty of a process that plays matches: to renew their leases."""
ENQUEUE_DUTY: Final = "ring"
"""Duty of a thread that enqueues task messages, which may hang because the broker's client starts threads."""
TRIAL_DUTY: Final = "trial"
REVIEW_DUTY: Final = "review"
DEADLINE_FACTORS: Final = {TRIAL_DUTY: 10, REVIEW_DUTY: 10}
"""Deadlines of slow duties, as multiples of `WATCHDOG_SECONDS`; 1 for every other duty.

Trials of bots compile code, and reviews run at the lowest priority.
"""


class _Watchdog:
    """Deadlines of this process's recurring activities (duties). One timer runs until the earliest deadline."""

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
            self._due[duty] = time.monotonic() + settings.WATCHDOG_SECONDS * DEADLINE_FACTORS.get(duty, 1)
            self._set_timer()

    def release(self, duty: str) -> None:
        with self._lock:
            self._due.pop(duty, None)
            self._set_timer()

    def _set_timer(self) -> None:
        first = min(self._due.values(), default=None)
        signal.setitimer(signal.ITIMER_REAL, max(0.001, first - time.monotonic()) if first else 0)


_WATCHDOG = _Watchdog()


def start_watchdog() -> None:
    """Start the watchdog of this process. It begins with no deadlines.

    Call this in the main thread, and again after a fork.
    """
    # Only the main thread can install a signal handler, and a child process does not inherit the timer.
    _WATCHDOG.begin()


def extend_deadline(duty: str) -> None:
    """Give a recurring activity of this process a new deadline.

    The kernel kills the process if the deadline passes.
    """
    if _WATCHDOG.active:
        _WATCHDOG.touch(duty)


def remove_deadline(duty: str) -> None:
    """Remove the deadline of a duty (a recurring activity), for example when its work is finished."""
    if _WATCHDOG.active:
        _WATCHDOG.release(duty)


@contextmanager
def enqueue_deadline() -> Iterator[None]:
    """Kill this process if the `with` block takes too long."""
    # The block enqueues tasks: the broker's client starts threads and may hang. Each calling thread has its own
    # deadline.
    duty = f"{ENQUEUE_DUTY} {threading.get_ident()}"
    extend_deadline(duty)
    try:
        yield
    finally:
        remove_deadline(duty)


def with_deadline(duty: str, check: Callable[[], object]) -> Callable[[], None]:
    """Return a callback that extends the deadline of a duty (a recurring activity) and then calls `check`."""

    def touch_and_check() -> None:
        extend_deadline(duty)
        try:
            check()
        except SystemExit:  # the worker shuts down and may wait long for its matches to end
            remove_deadline(duty)
            raise

    return touch_and_check
