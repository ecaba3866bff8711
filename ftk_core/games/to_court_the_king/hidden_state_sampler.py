"""Random game states consistent with a viewer's knowledge: only the real state, because nothing is hidden."""

from __future__ import annotations

from ftk_core.facts import Viewer
from ftk_core.games.to_court_the_king.table_state import TableState
from ftk_core.random_streams import MatchRandomness


def resample(table: TableState, _viewer: Viewer, _chance: MatchRandomness) -> TableState:
    """Return the table unchanged: nothing is hidden, and each roll is drawn when it happens."""
    return table
