"""Pig's part in the property tests of all games: a list of components, and matches that look the same."""

from __future__ import annotations

from typing import Any

from tests.support.laws.exchanges import redraw_later_dice

other_world = redraw_later_dice


def census(table: Any) -> list[str]:
    """Return the die, the only component."""
    return ["die"]
