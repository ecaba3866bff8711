"""Waiting for a condition, with a deadline and an error message; and waiting for a point in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
SECONDS = 40.0
"""Default deadline in seconds; it is long, so that a busy machine does not make a test fail."""
_never = threading.Event()


def wait_for(look: Callable[[], T], what: str | Callable[[], str], seconds: float = SECONDS) -> T:
    """Call `look` until its result is true, and return it; raises AssertionError with `what` after `seconds`.

    Pass a function as `what` to read a log only at the deadline.
    """
    began = time.monotonic()
    while not (answer := look()):
        waited = time.monotonic() - began
        assert waited < seconds, f"not within {seconds} s: {what if isinstance(what, str) else what()}"
        _never.wait(min(max(0.02, waited / 20), 0.1))  # each call takes processor time from the awaited work
    return answer


def until(moment: float) -> None:
    """Sleep until a time of `time.monotonic`, for a load at a fixed rate or a disturbance at a moment."""
    _never.wait(max(0.0, moment - time.monotonic()))
