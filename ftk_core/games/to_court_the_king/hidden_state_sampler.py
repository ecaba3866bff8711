"""Resampling for To Court the King, which has no hidden information."""

from __future__ import annotations

from ftk_core.facts import Viewer
from ftk_core.games.to_court_the_king.table_state import TableState
from ftk_core.random_streams import MatchRandomness


def resample(table: TableState, _viewer: Viewer, _chance: MatchRandomness) -> TableState:
    """Return the same table: nothing is hidden, and each roll is drawn when it happens."""
    return table
