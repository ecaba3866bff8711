"""Arrays into which a step of many parallel matches writes its results."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ftk_core.rl.observation_encoder import Floats, Mask, ObservationEncoder

Opponents = Literal["quick", "random", "none"]
"""Players of the seats that do not learn.

"quick" is the game's fast policy for playouts, "random" chooses uniformly at random; with "none" all seats learn.
"""


class MatchStepArrays:
    """Arrays with one row for each of many parallel matches. Callers must not change them between steps."""

    # Each step overwrites only parts of the arrays.

    def __init__(self, view_encoder: ObservationEncoder, tables: int, seats: int) -> None:
        """Create arrays of zeros."""
        self.observations: Floats = np.zeros((tables, view_encoder.width), np.float32)
        self.masks: Mask = np.zeros((tables, view_encoder.actions), np.int8)
        self.seats: NDArray[np.int32] = np.zeros(tables, np.int32)
        """By table: seat that must choose. After a match it is the learner, or the last seat to choose if all learn."""
        self.sizes: NDArray[np.int32] = np.zeros(tables, np.int32)
        """By table: number of items on the menu of the seat in `seats`; 0 at the end of a match."""
        self.rewards: NDArray[np.float64] = np.zeros(tables, np.float64)
        """By table: reward of the seat in `seats`."""
        self.shares: NDArray[np.float64] = np.zeros((tables, seats), np.float64)
        """By table and seat: reward in the last finished match; zeros before the first end of a match."""
        self.over: NDArray[np.bool_] = np.zeros(tables, np.bool_)
        """By table: True at the end of a match."""
        self.excused: NDArray[np.bool_] = np.zeros(tables, np.bool_)
        """By table: True if the action lay beyond the menu, so that item 0 was played."""
