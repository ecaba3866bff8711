"""Matches of learning programs, played in parallel by the native (C++) rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ctypes import byref, c_int8, c_int32, c_void_p
from typing import NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from ftk_core.facts import encode
from ftk_core.native.native_match import check_seed
from ftk_core.native.shared_rules_library import MAX_SEATS, LearningStepPointers, NativeError, last_error, load_library
from ftk_core.rl.match_step_arrays import MatchStepArrays, Opponents
from ftk_core.rl.observation_encoder import Floats, ObservationEncoder
from ftk_core.rl.simulated_match import ActionLimitExceeded

OPPONENT_NUMBERS: dict[Opponents, int] = {"quick": 0, "random": 1, "none": 2}
"""Players of the seats that do not learn -> value of the C++ enumeration `Opponents`."""


class NativeParallelMatches:
    """Many matches of one game played at once in the native library."""

    def __init__(
        self,
        view_encoder: ObservationEncoder,
        seats: int,
        options: msgspec.Struct | None = None,
        tables: int = 1,
        opponents: Opponents = "none",
    ) -> None:
        """Prepare parallel matches. Raises NativeError if the library is missing or lacks the game."""
        library = load_library()
        if library is None:
            raise NativeError("the native library is not built: run `python -m ftk_core.native.build`")
        self._library, self.seats, self.view_encoder = library, seats, view_encoder
        chosen = encode(options or view_encoder.game.options())
        plans = [
            json.dumps(plan, separators=(",", ":")).encode() for plan in (view_encoder.plan, view_encoder.action_plan)
        ]
        self.handle = library.ftk_learning_new(
            view_encoder.game.name.encode(), seats, chosen, len(chosen), tables, *plans, view_encoder.width,
            view_encoder.action_width, view_encoder.actions, OPPONENT_NUMBERS[opponents],
        )  # fmt: skip
        if not self.handle:
            raise NativeError(last_error(library))
        self._sizes, self._items = (c_int32 * MAX_SEATS)(), (c_int32 * MAX_SEATS)()
        self._observation: Floats = np.zeros(view_encoder.width, np.float32)
        self._observation_pointer = c_void_p(_address(self._observation))
        self._step: tuple[MatchStepArrays, LearningStepPointers] | None = None
        self._asked: dict[int, dict[int, int]] = {}

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._library.ftk_learning_free(self.handle)

    def __reduce__(self) -> NoReturn:
        """Refuse `copy.copy`: two objects would free the same memory."""
        raise TypeError("NativeParallelMatches cannot be copied")

    def deal(self, table: int, seed: bytes) -> dict[int, int]:
        """Start a match from a 32-byte seed. Return the number of actions of each player who must choose.

        Raises NativeError for a seed of another length, and ActionLimitExceeded if a menu is longer than
        `Game.longest_menu`.
        """
        # A seat with only one action is included if opponents must not notice that it has no choice.
        self._check(self._library.ftk_learning_deal(self.handle, table, check_seed(seed), self._sizes))
        return self._note_sizes(table)

    def answer(self, table: int, choices: Mapping[int, int]) -> dict[int, int]:
        """Apply the players' choices (seat -> menu index).

        Return, for each player who must choose next, the number of legal actions.
        """
        items = self._items
        for seat, size in self._asked[table].items():
            item = choices[seat]
            if not 0 <= item < size:
                raise IndexError(f"seat {seat} has no item {item} on its menu of {size}")
            items[seat] = item
        self._check(self._library.ftk_learning_answer(self.handle, table, items, self._sizes))
        return self._note_sizes(table)

    def observe(self, table: int, seat: int) -> Floats:
        """Return a seat's observation as an array of shape (observation columns,)."""
        self._check(self._library.ftk_learning_observe(self.handle, table, seat, self._observation_pointer))
        return self._observation.copy()

    def rows(self, table: int, seat: int) -> Floats:
        """Return the features of a seat's menu as an array of shape (items, feature columns)."""
        size = self._asked[table].get(seat, 0)
        rows: Floats = np.zeros((size, self.view_encoder.action_width), np.float32)
        if size:
            self._check(self._library.ftk_learning_menu(self.handle, table, seat, _address(rows), size))
        return rows

    def places(self, table: int) -> tuple[int, ...]:
        """Return the final rank of each seat after the end of a match."""
        places = (c_int8 * MAX_SEATS)()
        self._check(self._library.ftk_learning_places(self.handle, table, places))
        return tuple(places[: self.seats])

    def start_series(self, name: str) -> None:
        """Set the name from which `step` derives the seeds of its matches, and number the matches from 0 again."""
        # The seed of match m in row t of the arrays is the SHA-256 of the text `<name>/t/m`.
        self._check(self._library.ftk_learning_series(self.handle, name.encode()))

    def step(self, actions: NDArray[np.int64] | None, arrays: MatchStepArrays) -> None:
        """Make one choice in each match, or replace a finished match by a new one. Write the results into `arrays`.

        If `actions` is None, start all matches anew. An index beyond the menu plays item 0.
        """
        step = self._pointers_to(arrays)
        step.actions = None if actions is None else _address(actions)
        self._check(self._library.ftk_learning_step(self.handle, byref(step)))

    def deal_again(self, arrays: MatchStepArrays) -> None:
        """Replace finished matches by new ones, and write the observations at their first choices into `arrays`."""
        # Masks, seats and menu sizes are also written. The arrays `rewards`, `shares`, `over` and `excused` still show
        # the last step.
        self._check(self._library.ftk_learning_deal_again(self.handle, byref(self._pointers_to(arrays))))

    def _pointers_to(self, arrays: MatchStepArrays) -> LearningStepPointers:
        if self._step is None or self._step[0] is not arrays:
            names = (field[0] for field in LearningStepPointers._fields_[1:])
            addresses = {name: _address(getattr(arrays, name)) for name in names}
            self._step = arrays, LearningStepPointers(actions=None, **addresses)
        return self._step[1]

    def _note_sizes(self, table: int) -> dict[int, int]:
        sizes = self._sizes
        asked = {seat: size for seat in range(self.seats) if (size := sizes[seat])}
        self._asked[table] = asked
        return asked

    def _check(self, number: int) -> None:
        if number < 0:
            message = last_error(self._library)
            raise ActionLimitExceeded(message) if "longest menu" in message else NativeError(message)


def _address(array: np.ndarray) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
