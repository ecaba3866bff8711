"""Parallel matches of one game for learning programs."""
# Native (C++) and Python rules give the same deal, questions and observations for the same seed.

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
    """Interface of parallel matches, which advance one by one or all together by `step`."""

    def deal(self, table: int, seed: bytes, /) -> dict[int, int]:
        """Start a match from a 32-byte seed. Return the number of actions of each player who must choose.

        Raises ActionLimitExceeded if a menu is longer than the declared maximum, `Game.longest_menu`.
        """
        # A seat with only one action is included if opponents must not notice that it has no choice.
        ...

    def answer(self, table: int, choices: Mapping[int, int], /) -> dict[int, int]:
        """Apply the players' choices (seat -> menu index). Raises KeyError or IndexError for a bad choice.

        Return the number of actions of each player who must choose next; empty at the end of the match.
        """
        ...

    def observe(self, table: int, seat: int, /) -> Floats:
        """Return a seat's observation as an array of shape (observation columns,)."""
        ...

    def rows(self, table: int, seat: int, /) -> Floats:
        """Return the features of a player's actions, with shape (items, feature columns).

        There are no rows if the player need not choose.
        """
        ...

    def places(self, table: int, /) -> tuple[int, ...]:
        """Return the final rank of each seat after the end of a match."""
        ...

    def start_series(self, name: str, /) -> None:
        """Set the name from which `step` derives the seeds of its matches, and number the matches from 0 again.

        The seed of match m in row t of the arrays is the SHA-256 of the text ``<name>/t/m``.
        """
        ...

    def step(self, actions: NDArray[np.int64] | None, arrays: MatchStepArrays, /) -> None:
        """Make one choice in each match, or replace a finished match by a new one. Write the results into `arrays`.

        If `actions` is None, start all matches anew. An index beyond the menu plays item 0.
        """
        ...

    def deal_again(self, arrays: MatchStepArrays, /) -> None:
        """Replace finished matches by new ones.

        Write the first choices of the new matches into the arrays `observations`, `masks`, `seats` and `sizes`. Leave
        `rewards`, `shares`, `over` and `excused` as the last step set them.
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
    """Create parallel matches of the encoder's game. `opponents` choose for the players who do not learn.

    With ``native=False``, or if the C++ rules are missing, the matches use the Python rules and keep their events.
    """
    engine = NativeParallelMatches if native and has_native_rules(view_encoder.game) else PythonParallelMatches
    return engine(view_encoder, seats, options, tables, opponents)
