"""The table as it could have been: in this game it could only have been as it is."""

from __future__ import annotations

from ftk_core.facts import Viewer
from ftk_core.games.to_court_the_king.state import Table
from ftk_core.rng import Chance


def resample(table: Table, _viewer: Viewer, _chance: Chance) -> Table:
    """Return the same table: nothing is hidden, and the dice to come are drawn when they are rolled."""
    return table
