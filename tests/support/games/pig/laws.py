"""What the laws need to know of Pig: what must always be somewhere, and which other worlds look the same."""

from __future__ import annotations

from typing import Any

from tests.support.laws.exchanges import dice_to_come

other_world = dice_to_come


def census(table: Any) -> list[str]:
    """Return the die: there is nothing else in the box."""
    return ["die"]
