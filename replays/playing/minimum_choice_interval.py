"""Minimum time between the choices of a match, so that spectators can follow it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ftk_core.players import HelloMessage, Player, PlayerAnswer, QuestionToSeat

CHECK_SECONDS = 0.1
"""Seconds between calls of the callback `resting` during a pause."""


class MinimumChoiceInterval:
    """Minimum time between the choices of a match, so that spectators can follow it."""

    # A pause does not count as a bot's time and gives no time to think: a bot without a question is suspended
    # (SIGSTOP).

    def __init__(self, pace_ms: int, resting: Callable[[], None], *, replaying: Callable[[], bool]) -> None:
        """Store `pace_ms`, the minimum time between choices in milliseconds, and two callbacks.

        `resting` is called during pauses. `replaying` returns True while a resumed match repeats choices from its log.
        """
        self._seconds, self._resting, self._replaying = pace_ms / 1000, resting, replaying
        self._due = 0.0

    def rest(self) -> None:
        """Wait until the next choice may be made."""
        # A resumed match repeats the choices in its log without pauses.
        if self._replaying():
            return
        while (left := self._due - time.monotonic()) > 0:
            self._resting()
            time.sleep(min(left, CHECK_SECONDS))
        self._due = time.monotonic() + self._seconds


class DelayedPlayer:
    """Wrapper of a player that keeps a minimum time between the choices of a match."""

    def __init__(self, player: Player, pace: MinimumChoiceInterval) -> None:
        self._player, self._pace = player, pace

    @property
    def name(self) -> str:
        """The player's name in the log."""
        return self._player.name

    def greet(self, hello: HelloMessage) -> None:
        """Pass the greeting (game, seat and time limits) to the wrapped player at once, without a pause."""
        self._player.greet(hello)

    def choose(self, ask: QuestionToSeat, /) -> PlayerAnswer:
        """Wait until the next choice is due, then ask the wrapped player."""
        self._pace.rest()
        return self._player.choose(ask)

    def wait_as_if_asked(self, ask: QuestionToSeat, /) -> None:
        """Wait before a forced move as long as before a choice."""
        # Otherwise the timing would reveal that the move was forced.
        self._pace.rest()
        self._player.wait_as_if_asked(ask)

    def over(self, places: Sequence[int]) -> None:
        """Pass the final places to the wrapped player."""
        self._player.over(places)
