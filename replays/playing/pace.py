"""A player kept to a pace that spectators can follow."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ftk_core.players import Answer, Ask, Hello, Player

BREATH_SECONDS = 0.1
"""How often the match's own affairs (its log, its lease) are seen to while it rests."""


class Pace:
    """The pace of one match: no choice sooner than so long after the one before it, at least while it is watched live.

    A match without a pace is as fast as its bots. Time at rest is nobody's: bots stand still while they are not asked.
    """

    def __init__(self, pace_ms: int, resting: Callable[[], None], *, replaying: Callable[[], bool]) -> None:
        """`resting` is called while it rests; nothing is kept to the pace that is only `replaying` what was played."""
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
    """A player who is asked at the match's pace."""

    def __init__(self, player: Player, pace: Pace) -> None:
        self._player, self._pace = player, pace

    @property
    def name(self) -> str:
        """What the log calls it."""
        return self._player.name

    def greet(self, hello: Hello) -> None:
        """Pass the greeting on."""
        self._player.greet(hello)

    def choose(self, ask: Ask, /) -> Answer:
        """Pass the question on when it is time for it."""
        self._pace.rest()
        return self._player.choose(ask)

    def pretend(self) -> None:
        """Keep to the pace as if there were a question."""
        self._pace.rest()
        self._player.pretend()

    def over(self, places: Sequence[int]) -> None:
        """Pass the end on."""
        self._player.over(places)
