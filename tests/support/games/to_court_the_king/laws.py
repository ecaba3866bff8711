"""What the laws need to know of To Court the King: what must be somewhere, and which other worlds look the same."""

from __future__ import annotations

from ftk_core.games.to_court_the_king.state import Table
from tests.support.laws.exchanges import dice_to_come

other_world = dice_to_come


def census(table: Table) -> list[str]:
    """Return every character but the Fools, of which there is no end."""
    piles = [name for name, left in table.display for _ in range(left)]
    held = [card for cards in table.cards for card in cards if card != "FOOL"]
    claimed = ["KING"] if table.queen is not None else []
    return [*piles, *held, *claimed]
