"""Earlier versions of the rules, to read and rerun old logs."""

from __future__ import annotations

from dataclasses import replace

from ftk_core.game import MatchResult, rank_by_keys
from ftk_core.games.to_court_the_king.rules import GAME
from ftk_core.games.to_court_the_king.table_state import TableState


def _result_1(table: TableState) -> MatchResult:
    """Return the result under version 1 of the rules."""
    # Between equal sets of dice, the earlier turn in the final round counts. Version 1 ignores that the set with which
    # a player won the King may be older.
    standing = []
    for seat in range(table.seats):
        own = table.finals[seat] if table.finals else None
        shown = max(own or (0, 0), table.claim if seat == table.queen else (0, 0))
        turn = table.rolled.index(seat) if seat in table.rolled else table.seats
        standing.append((seat == table.winner, shown, -turn))
    scores = tuple(10 * count + value for _, (count, value), _ in standing)
    return MatchResult(rank_by_keys(standing), scores)


PAST = (replace(GAME, version=1, result=_result_1),)
"""Earlier versions of the game, oldest first."""
