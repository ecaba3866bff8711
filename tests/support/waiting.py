"""Wait for something to become true, with a deadline and a reason to show when it does not; or keep a pace."""

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
    """Return the first true answer; raises AssertionError, naming what was waited for, after the deadline."""
    began = time.monotonic()
    while not (answer := look()):
        waited = time.monotonic() - began
        assert waited < seconds, f"not within {seconds} s: {what}"
        _never.wait(min(max(0.02, waited / 20), 0.1))  # whoever looks takes time from what is waited for
    return answer


def until(moment: float) -> None:
    """Return at a time of `time.monotonic`: for a load at a pace, or a disturbance at a moment or for a while."""
    _never.wait(max(0.0, moment - time.monotonic()))
