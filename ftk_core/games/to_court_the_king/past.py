"""Earlier versions of the rules, to read and rerun old logs."""

from __future__ import annotations

from dataclasses import replace

from ftk_core.game import Result, places_by
from ftk_core.games.to_court_the_king.rules import GAME
from ftk_core.games.to_court_the_king.state import Table


def _result_1(table: Table) -> Result:
    """Return places as in version 1, which dates a claim by its claimer's roll in the final round, usually the last."""
    standing = []
    for seat in range(table.seats):
        own = table.finals[seat] if table.finals else None
        shown = max(own or (0, 0), table.claim if seat == table.queen else (0, 0))
        turn = table.rolled.index(seat) if seat in table.rolled else table.seats
        standing.append((seat == table.winner, shown, -turn))
    scores = tuple(10 * count + value for _, (count, value), _ in standing)
    return Result(places_by(standing), scores)


PAST = (replace(GAME, version=1, result=_result_1),)
"""Oldest first."""
