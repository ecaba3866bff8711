"""Age of stored timestamps, measured so that later changes of the system clock have no effect."""

from __future__ import annotations

import time
from datetime import datetime

from django.utils import timezone


class TimestampAgeMeter:
    """Meter of the age of timestamps. It reads the system clock once for each timestamp, then the monotonic clock."""

    def __init__(self) -> None:
        self._started: dict[str, tuple[datetime, float]] = {}

    def seconds_since(self, name: str, at: datetime) -> float:
        """Return the seconds since the timestamp `at`.

        `name` says what the timestamp marks, such as ``asked``.
        """
        # The system clock is read only if `at` differs from the previous timestamp with this name.
        known, started = self._started.get(name, (None, 0.0))
        if known != at:
            started = time.monotonic() - (timezone.now() - at).total_seconds()
            self._started[name] = at, started
        return time.monotonic() - started
