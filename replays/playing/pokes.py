"""Notifications of spectators about a match: only the log's length, at most twenty times a second."""

from __future__ import annotations

import time
from collections.abc import Callable

from foundation.poking import poke

PAUSE_SECONDS = 0.05


def group_of(match_id: str) -> str:
    """Return the name of the group of a match's spectators."""
    return f"match.{match_id}"


class Poker:
    """Rate-limited notifier of one match's spectators."""

    def __init__(self, match_id: str, now: Callable[[], float] = time.monotonic) -> None:
        self._group, self._now = group_of(match_id), now
        self._last, self._said, self._length = -PAUSE_SECONDS, 0, 0

    def poke(self, length: int) -> None:
        """Send the stream's length, unless the last notification was a moment ago."""
        self._length = length
        self.rest()

    def rest(self) -> None:
        """Send a delayed notification once the pause is over."""
        if self._length > self._said and self._now() - self._last >= PAUSE_SECONDS:
            self._send()

    def last(self, length: int) -> None:
        """Send the final length at once."""
        self._length = length
        self._send()

    def _send(self) -> None:
        self._last, self._said = self._now(), self._length
        poke(self._group, length=self._length)
