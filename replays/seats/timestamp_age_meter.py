"""Seconds since stored timestamps, unaffected by changes of the system clock during a wait."""

from __future__ import annotations

import time
from datetime import datetime

from django.utils import timezone


class TimestampAgeMeter:
    """Meter of the seconds since timestamps. A change of the system clock does not affect timestamps already known."""

    def __init__(self) -> None:
        self._started: dict[str, tuple[datetime, float]] = {}

    def seconds_since(self, name: str, at: datetime) -> float:
        """Return the seconds since the timestamp `at`. The system clock is only read if `at` is new for this `name`."""
        known, started = self._started.get(name, (None, 0.0))
        if known != at:
            started = time.monotonic() - (timezone.now() - at).total_seconds()
            self._started[name] = at, started
        return time.monotonic() - started
