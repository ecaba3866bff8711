"""Tables for learning programs: each has a match in progress, and all can take a step together.

Tables use the game's native (C++) rules if it has any, else the Python rules. Both kinds of rules give a match from the
same seed the same deal, the same questions and the same observations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from ftk_core.native.native_game_rules import has_native_rules
from ftk_core.rl.match_step_arrays import MatchStepArrays, Opponents
from ftk_core.rl.native_parallel_matches import NativeParallelMatches
from ftk_core.rl.observation_encoder import Floats, ObservationEncoder
from ftk_core.rl.python_parallel_matches import PythonParallelMatches


class ParallelMatches(Protocol):
    """Tables of one game, each with a match in progress. Each can be played by itself, or all together by `step`."""

    def deal(self, table: int, seed: bytes, /) -> dict[int, int]:
        """Deal a new match from a 32-byte seed; return a dict: seat that must choose -> number of items on its menu.

        A seat with only one possible action is included if the others must not learn that it has no choice.
        Raise ActionLimitExceeded if a menu is longer than the game's longest menu.
        """
        ...

    def answer(self, table: int, choices: Mapping[int, int], /) -> dict[int, int]:
        """Apply the choices (seat -> menu index) of all seats that must choose, and play on to the next choice.

        Return a dict: seat that must choose next -> number of items on its menu; empty at the end of the match. Raise
        KeyError for a missing choice, IndexError for an index beyond the menu.
        """
        ...

    def observe(self, table: int, seat: int, /) -> Floats:
        """Return a seat's observation as an array of shape (observation columns,)."""
        ...

    def rows(self, table: int, seat: int, /) -> Floats:
        """Return the features of a seat's menu as an array of shape (items, feature columns).

        The array has no rows if the seat need not choose.
        """
        ...

    def places(self, table: int, /) -> tuple[int, ...]:
        """Return the final rank of each seat after the end of a match."""
        ...

    def start_series(self, name: str, /) -> None:
        """Begin a series of matches, which `step` deals.

        The seed of match number m at table t is derived from the text ``<name>/t/m``.
        """
        ...

    def step(self, actions: NDArray[np.int64] | None, arrays: MatchStepArrays, /) -> None:
        """Play one choice at each table (match in progress); where the match is over, deal a new one instead.

        If `actions` is None, deal a new match at all tables. The results of the step are written into `arrays`. For an
        action beyond the menu, item 0 is played.
        """
        ...

    def deal_again(self, arrays: MatchStepArrays, /) -> None:
        """Deal a new match at each table whose match is over, and write its first question into `arrays`.

        This overwrites the `seats`, `sizes`, `masks` and `observations` of these tables. The arrays `rewards`,
        `shares`, `over` and `excused` are not changed: they still show the last step.
        """
        ...


def create_tables(
    view_encoder: ObservationEncoder,
    seats: int,
    options: msgspec.Struct | None,
    *,
    tables: int = 1,
    opponents: Opponents = "none",
    native: bool = True,
) -> ParallelMatches:
    """Create tables (matches played in parallel) for the game whose views `view_encoder` encodes.

    `opponents` play the seats that do not learn. The tables use the native rules if the game has any. With
    ``native=False`` they use the Python rules, which keep the facts (events) of each match.
    """
    engine = NativeParallelMatches if native and has_native_rules(view_encoder.game) else PythonParallelMatches
    return engine(view_encoder, seats, options, tables, opponents)
