"""Player wrapper that keeps to a pace for spectators."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ftk_core.players import Answer, Ask, Hello, Player

BREATH_SECONDS = 0.1
"""Interval at which the match's log and lease are attended to during a pause."""


class Pace:
    """Pace of one match: a minimum time between choices while it is played live.

    A match without a pace is as fast as its bots. Pauses are charged to nobody: bots stand still while they are not
    asked.
    """

    def __init__(self, pace_ms: int, resting: Callable[[], None], *, replaying: Callable[[], bool]) -> None:
        """Take `resting`, called during pauses, and `replaying`, true while the log is replayed (without a pace)."""
        self._seconds, self._resting, self._replaying = pace_ms / 1000, resting, replaying
        self._due = 0.0

    def rest(self) -> None:
        """Wait for the time of the next choice."""
        if self._replaying():
            return
        while (left := self._due - time.monotonic()) > 0:
            self._resting()
            time.sleep(min(left, BREATH_SECONDS))
        self._due = time.monotonic() + self._seconds


class PacedPlayer:
    """A player asked at the match's pace."""

    def __init__(self, player: Player, pace: Pace) -> None:
        self._player, self._pace = player, pace

    @property
    def name(self) -> str:
        """Its name in the log."""
        return self._player.name

    def greet(self, hello: Hello) -> None:
        """Send the match's first message to the wrapped player at once, without pacing."""
        self._player.greet(hello)

    def choose(self, ask: Ask, /) -> Answer:
        """Pass the question on when it is due."""
        self._pace.rest()
        return self._player.choose(ask)

    def pretend(self) -> None:
        """Wait as for a question."""
        self._pace.rest()
        self._player.pretend()

    def over(self, places: Sequence[int]) -> None:
        """Pass the end on."""
        self._player.over(places)
