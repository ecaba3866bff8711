"""Resampling for a game without hidden information."""

from __future__ import annotations

from ftk_core.facts import Viewer
from ftk_core.games.to_court_the_king.state import Table
from ftk_core.rng import Chance


def resample(table: Table, _viewer: Viewer, _chance: Chance) -> Table:
    """Return the same table: nothing is hidden, and each roll is drawn when it happens."""
    return table
