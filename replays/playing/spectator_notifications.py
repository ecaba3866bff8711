"""Notifications of new log entries to the servers that show a match live."""
# A notification contains the new length of the log. At most twenty are sent in a second, besides the last one.

from __future__ import annotations

import time

from foundation.channel_group_notifications import notify_group

PAUSE_SECONDS = 0.05
"""Minimum seconds between two notifications of a match, except for the last."""


def match_group(match_id: str) -> str:
    """Return the name of the channel group for the spectators of a match."""
    return f"match.{match_id}"


class SpectatorNotifier:
    """Rate-limited notifications to the spectators of one match."""

    def __init__(self, match_id: str) -> None:
        self._group = match_group(match_id)
        self._last, self._said, self._length = -PAUSE_SECONDS, 0, 0

    def notify(self, length: int) -> None:
        """Send the log's length to spectators now, or later if the last notification was under `PAUSE_SECONDS` ago."""
        self._length = length
        self.rest()

    def rest(self) -> None:
        """Send the delayed notification, if it exists and `PAUSE_SECONDS` have passed; workers call this regularly."""
        if self._length > self._said and time.monotonic() - self._last >= PAUSE_SECONDS:
            self._send()

    def last(self, length: int) -> None:
        """Send the final length of the match's log to spectators, without a delay."""
        self._length = length
        self._send()

    def _send(self) -> None:
        self._last, self._said = time.monotonic(), self._length
        notify_group(self._group, length=self._length)
