"""Debouncing within one process: limit an action to once per interval for each key."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable


class Debounce:
    """Limits an action to once per interval and key, such as a match id."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._done_at: dict[Hashable, float] = {}

    def is_due(self, key: Hashable) -> bool:
        """Return True if the action was not done for this key within the last interval."""
        return self._clock() - self._done_at.get(key, -self._seconds) >= self._seconds

    def record(self, key: Hashable) -> None:
        """Record that the action is done for this key now."""
        now = self._clock()
        self._done_at = {key: at for key, at in self._done_at.items() if now - at < self._seconds} | {key: now}
