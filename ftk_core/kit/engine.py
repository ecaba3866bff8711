"""The engine for bots: look ahead from what your seat knows.

Uses the standard library and the arena's native rules. It works in the sandbox where the organiser has built them.
"""

import json
import time

from ftk_core.kit.bot import Ask
from ftk_core.native.native_table import NativeTable

SHARE_OF_MOVE_TIME = 0.4
"""Part of the time for one move that a search bot uses at most."""
FIRST_BUDGET = 5_000
"""Budget of a search bot's first search, which measures how fast the machine is."""


class EngineUnavailable(RuntimeError):
    """Raised if a question cannot be looked ahead from. The message gives the reason."""


def table_of(ask: Ask) -> NativeTable:
    """Return a table in a state of the match as your seat may know it.

    Everything that you do not know is dealt at random; ``table.resample(ask.seat)`` deals it again. Raise
    EngineUnavailable if the arena has no state for this question, NativeError if it has no native rules.
    """
    world = ask.world()
    if world is None:
        raise EngineUnavailable("the arena sends no state for this question: choose without looking ahead")
    table = NativeTable(ask.hello["game"], ask.hello["seats"])
    table.set_state(json.dumps(world, ensure_ascii=False, separators=(",", ":")).encode())
    return table


def best_item(ask: Ask, budget: int) -> int:
    """Return the menu item after which your seat fares best in playouts, by `NativeTable.search`.

    `budget` limits the choices in all playouts together. Raise EngineUnavailable or NativeError.
    """
    return table_of(ask).search(ask.seat, budget, seed=ask.id)[0]


class SearchBot:
    """Bot that answers every question by a search, within `budget` choices and its time for one move."""

    def __init__(self, budget: int, *, at_random: bool = False) -> None:
        """`budget` limits the choices of one search; `at_random`: all seats play at random in the playouts."""
        self._budget, self._at_random = budget, at_random
        self._choices_per_second = 0.0

    def choose(self, ask: Ask) -> int:
        """Return the menu item after which the seat fares best. Raise EngineUnavailable or NativeError."""
        move_seconds = ask.hello["move_ms"] / 1000
        affordable = SHARE_OF_MOVE_TIME * move_seconds * self._choices_per_second
        budget = int(min(self._budget, affordable or FIRST_BUDGET))
        started = time.process_time()
        best, items = table_of(ask).search(ask.seat, budget, seed=ask.id, at_random=self._at_random)
        seconds = time.process_time() - started
        self._choices_per_second = budget / max(seconds, 1e-4)
        share, playouts = items[best]
        ask.note = {"share": share, "playouts": playouts}
        return best
