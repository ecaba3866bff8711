"""Minimum time between the choices of a match, so that spectators can follow it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ftk_core.players import HelloMessage, Player, PlayerAnswer, QuestionToSeat

CHECK_SECONDS = 0.1
"""Seconds between calls of the callback `resting` during a pause."""


class MinimumChoiceInterval:
    """Minimum time between the choices of one match while it is played, so that spectators can follow it.

    If it is 0, the match is as fast as its bots. A pause does not count as time that a bot has used. It gives a bot no
    time to think either: its process is suspended (SIGSTOP) while it has no question.
    """

    def __init__(self, pace_ms: int, resting: Callable[[], None], *, replaying: Callable[[], bool]) -> None:
        """Store the minimum time between choices in milliseconds, and two callbacks.

        `resting` is called regularly during pauses. `replaying` returns True while a resumed match repeats the choices
        in its log, for which there are no pauses.
        """
        self._seconds, self._resting, self._replaying = pace_ms / 1000, resting, replaying
        self._due = 0.0

    def rest(self) -> None:
        """Wait until the next choice may be made; do not wait while a resumed match repeats the choices in its log."""
        if self._replaying():
            return
        while (left := self._due - time.monotonic()) > 0:
            self._resting()
            time.sleep(min(left, CHECK_SECONDS))
        self._due = time.monotonic() + self._seconds


class DelayedPlayer:
    """Wrapper of a player, which delays each question so that the match keeps its minimum time between choices."""

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
        """Wait until the match's minimum time between choices is over, then pass the question to the wrapped player."""
        self._pace.rest()
        return self._player.choose(ask)

    def wait_as_if_asked(self, ask: QuestionToSeat, /) -> None:
        """Wait as long as before a real question, so that the timing does not reveal that the move was forced."""
        self._pace.rest()
        self._player.wait_as_if_asked(ask)

    def over(self, places: Sequence[int]) -> None:
        """Pass the final places to the wrapped player."""
        self._player.over(places)
