"""Ages of stored times of day, for waits that go on while the clock is set."""

from __future__ import annotations

import time
from datetime import datetime

from django.utils import timezone


class SteadyAges:
    """Ages of stored times of day. A clock that is set while a player waits changes none of them."""

    def __init__(self) -> None:
        self._started: dict[str, tuple[datetime, float]] = {}

    def seconds_since(self, name: str, at: datetime) -> float:
        """Return the seconds since a time of day, which is compared with the clock only when it is new for `name`."""
        known, started = self._started.get(name, (None, 0.0))
        if known != at:
            started = time.monotonic() - (timezone.now() - at).total_seconds()
            self._started[name] = at, started
        return time.monotonic() - started
