"""Random game states that fit a viewer's knowledge, for simulated matches: the real state, as nothing is hidden."""

from __future__ import annotations

from ftk_core.facts import Viewer
from ftk_core.games.to_court_the_king.table_state import TableState
from ftk_core.random_streams import MatchRandomness


def resample(table: TableState, _viewer: Viewer, _chance: MatchRandomness) -> TableState:
    """Return a game state that fits the viewer's knowledge: the real one, because nothing in this game is hidden."""
    return table
