"""Parallel matches of one game for learning programs."""
# Native (C++) and Python rules give the same deal, questions and observations for the same seed.

from __future__ import annotations

import msgspec

from ftk_core.native.native_game_rules import has_native_rules
from ftk_core.rl.match_step_arrays import Opponents
from ftk_core.rl.native_parallel_matches import NativeParallelMatches
from ftk_core.rl.observation_encoder import ObservationEncoder
from ftk_core.rl.python_parallel_matches import PythonParallelMatches

ParallelMatches = NativeParallelMatches | PythonParallelMatches
"""Parallel matches, which advance one by one or all together by `step`."""


def create_tables(
    view_encoder: ObservationEncoder,
    seats: int,
    options: msgspec.Struct | None,
    *,
    tables: int = 1,
    opponents: Opponents = "none",
    native: bool = True,
) -> ParallelMatches:
    """Create parallel matches of the encoder's game. `opponents` choose for the players who do not learn.

    With ``native=False``, or if the C++ rules are missing, the matches use the Python rules and keep their events.
    """
    engine = NativeParallelMatches if native and has_native_rules(view_encoder.game) else PythonParallelMatches
    return engine(view_encoder, seats, options, tables, opponents)
