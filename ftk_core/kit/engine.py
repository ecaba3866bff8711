"""Search engine for bots: it simulates how a match may go on.

A server's sandbox offers it only if the organiser has built the games' rules in C++.
"""
# The search starts from random states that agree with what the seat knows. It uses the standard library only, besides
# the rules in C++.

import json
import time
from random import Random

from ftk_core.kit.bot import Ask
from ftk_core.native.native_match import NativeMatch

SHARE_OF_MOVE_TIME = 0.4
"""Maximum share of the time for one move that a search may use."""
FIRST_BUDGET = 5_000
"""Maximum number of simulated choices in a bot's first search, which measures how fast the machine is."""

MAX_SPEED_FACTOR = 1.5
"""By how much one search may raise the measured speed: choices of the next question may take more time."""


class SearchUnavailable(RuntimeError):
    """Raised if the engine cannot search for the best action in a decision. The message gives the reason."""


def table_of(ask: Ask) -> NativeMatch:
    """Return the present state of the match, from which the rules in C++ can play on.

    Values that your seat does not know are random; ``table.resample(ask.seat)`` draws new ones. Raises
    SearchUnavailable if the server sends no state for this question, NativeError if the game has no rules in C++.
    """
    world = ask.world()
    if world is None:
        raise SearchUnavailable("the arena sends no state for this question: choose without looking ahead")
    table = NativeMatch(ask.hello["game"], ask.hello["seats"])
    table.set_state(json.dumps(world, ensure_ascii=False, separators=(",", ":")).encode())
    return table


def best_item(ask: Ask, budget: int) -> int:
    """Return the index of the menu item with the best results for your seat in simulated matches.

    `budget` limits the number of simulated choices. Raises SearchUnavailable or NativeError.
    """
    return table_of(ask).search(ask.seat, budget, seed=search_seed(ask))[0]


def search_seed(ask: Ask) -> int:
    """Return a 31-bit random seed for a search. A repetition of the question gives the same seed."""
    return Random(f"{ask.hello['match']} {ask.seat} {ask.id}").getrandbits(31)  # noqa: S311 - no secret


class SearchBot:
    """Bot that answers every question by a search, limited in choices and in time (see `SHARE_OF_MOVE_TIME`)."""

    def __init__(self, budget: int, *, at_random: bool = False) -> None:
        """Limit each search to `budget` simulated choices.

        The simulated choices are random if `at_random` is set. Otherwise the game's own fast policy makes them.
        """
        self._budget, self._at_random = budget, at_random
        self._choices_per_second = 0.0

    def choose(self, ask: Ask) -> int:
        """Return the index of the menu item with the best results in simulated matches.

        Set `ask.note` to the expected share of opponents beaten (0 to 1) and the number of simulated matches. Raises
        SearchUnavailable or NativeError.
        """
        move_seconds = ask.hello["move_ms"] / 1000
        affordable = SHARE_OF_MOVE_TIME * move_seconds * self._choices_per_second
        budget = int(min(self._budget, affordable or FIRST_BUDGET))
        started = time.process_time()
        table = table_of(ask)
        best, items = table.search(ask.seat, budget, seed=search_seed(ask), at_random=self._at_random)
        seconds, spent = time.process_time() - started, table.search_spent()
        speed, known = spent / max(seconds, 1e-4), self._choices_per_second
        speed = min(speed, MAX_SPEED_FACTOR * known or speed)
        # A search whose answer is fixed is short: the time around it makes the machine look slower than it is.
        self._choices_per_second = speed if spent >= budget else max(speed, known)
        share, playouts = items[best]
        ask.note = {"share": share, "playouts": playouts}
        return best
