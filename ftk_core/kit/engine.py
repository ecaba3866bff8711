"""The engine for bots: look ahead from what your seat knows.

Uses the standard library and the arena's native rules. It works in the sandbox where the organiser has built them.
"""

import json

from ftk_core.kit.bot import Ask
from ftk_core.native.native_table import NativeTable


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
