"""Tell watchers that there is more to read: never what, only how far, and not more than twenty times a second."""

from __future__ import annotations

import time
from collections.abc import Callable

from foundation.poking import poke

PAUSE_SECONDS = 0.05


def group_of(match_id: str) -> str:
    """Return the name of the group of a match's watchers."""
    return f"match.{match_id}"


class Poker:
    """Pokes the watchers of one match."""

    def __init__(self, match_id: str, now: Callable[[], float] = time.monotonic) -> None:
        self._group, self._now = group_of(match_id), now
        self._last, self._said, self._length = -PAUSE_SECONDS, 0, 0

    def poke(self, length: int) -> None:
        """Say how long the stream is now, unless that was done a moment ago."""
        self._length = length
        self.rest()

    def rest(self) -> None:
        """Say what was held back, once the pause is over."""
        if self._length > self._said and self._now() - self._last >= PAUSE_SECONDS:
            self._send()

    def last(self, length: int) -> None:
        """Say the final length at once."""
        self._length = length
        self._send()

    def _send(self) -> None:
        self._last, self._said = self._now(), self._length
        poke(self._group, length=self._length)
