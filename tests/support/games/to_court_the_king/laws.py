"""To Court the King's part in the property tests of all games: a list of components, and matches that look the same."""

from __future__ import annotations

from ftk_core.games.to_court_the_king.table_state import TableState
from tests.support.laws.exchanges import redraw_later_dice

other_world = redraw_later_dice


def census(table: TableState) -> list[str]:
    """Return every character except the Fools, whose number is unlimited."""
    piles = [name for name, left in table.display for _ in range(left)]
    held = [card for cards in table.cards for card in cards if card != "FOOL"]
    claimed = ["KING"] if table.queen is not None else []
    return [*piles, *held, *claimed]
