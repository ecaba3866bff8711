"""Who sits where in each match of a table, and which deal they meet."""

from __future__ import annotations

from ftk_core.league.facts import TablePlan
from ftk_core.rng import seed_of


def turned(table: TablePlan, game: int) -> tuple[int, ...]:
    """Return the seating of a table's match of that number: each one turns the seats by one."""
    shift = game % len(table.seating)
    return table.seating[shift:] + table.seating[:shift]


def table_seed(secret: bytes, round_: int, table: TablePlan) -> bytes:
    """Return the seed of a table's matches: it follows from the league's secret and who sits there."""
    return seed_of("table", secret.hex(), round_, table.number, *table.seating)
