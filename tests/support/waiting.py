"""Waiting for a condition, with a deadline and an error message; and waiting for a point in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
SECONDS = 40.0
"""How long anything may take before it counts as not happening: a busy machine is no fault of what is tried."""
_never = threading.Event()


def wait_for(look: Callable[[], T], what: str, seconds: float = SECONDS) -> T:
    """Return the first true result; raises AssertionError with the description after the deadline."""
    began = time.monotonic()
    while not (answer := look()):
        waited = time.monotonic() - began
        assert waited < seconds, f"not within {seconds} s: {what}"
        _never.wait(min(max(0.02, waited / 20), 0.1))  # whoever looks takes time from what is waited for
    return answer


def until(moment: float) -> None:
    """Sleep until a time of `time.monotonic`, for a load at a fixed rate or a disturbance at a moment."""
    _never.wait(max(0.0, moment - time.monotonic()))
