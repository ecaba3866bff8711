"""States from which simulated matches start. Nothing in this game is hidden."""

from __future__ import annotations

from ftk_core.facts import Viewer
from ftk_core.games.to_court_the_king.table_state import TableState
from ftk_core.random_streams import MatchRandomness


def resample(table: TableState, _viewer: Viewer, _chance: MatchRandomness) -> TableState:
    """Return the same state, because nothing in this game is hidden."""
    return table
