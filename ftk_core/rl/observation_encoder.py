"""Encoder of game states and menus as arrays of fixed shape for learning programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_type_hints

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ftk_core.facts import Action, tag_of
from ftk_core.match_state_from_log import AnyGame
from ftk_core.rl.view_encoding import size_of, writer
from ftk_core.rl.view_encoding_columns import Plan, list_column_names, plan_of

Floats = NDArray[np.float32]
Mask = NDArray[np.int8]


class ObservationEncoder:
    """Encoder of a game's states and menus as numbers from 0 to 1, in one shape for any number of players."""

    def __init__(self, game: AnyGame) -> None:
        """Derive the encoding from the game's types. Raises UnboundedFieldError for a type without bounds."""
        self.game = game
        self.plan = plan_of_seat(game)
        self.action_plan = plan_of(game.actions, "action")
        self.width, self.action_width = size_of(self.plan), size_of(self.action_plan)
        self.actions = game.longest_menu
        (_, seat), (_, seats), (_, view) = self.plan[1]
        self._parts = [(writer(plan, getattr, _read_tag), size_of(plan)) for plan in (seat, seats, view)]
        self._write_action = writer(self.action_plan, getattr, _read_tag, "action")

    def observation_space(self) -> spaces.Box:
        """Create the Gymnasium space of observations."""
        return spaces.Box(0.0, 1.0, (self.width,), np.float32)

    def action_space(self) -> spaces.Discrete[np.int64]:
        """Create the Gymnasium space of actions, which are indices into a menu."""
        return spaces.Discrete(self.actions)

    def observation(self, view: Any, seat: int, seats: int) -> Floats:
        """Encode what a player may know of the game state as a vector; `names` lists its columns.

        Raises FieldValueOutOfBoundsError for a value outside its bounds.
        """
        columns = np.zeros(self.width, np.float32)
        at = 0
        for value, (write, size) in zip((seat, seats, view), self._parts, strict=True):
            write(value, columns, at)
            at += size
        return columns

    def mask(self, size: int) -> Mask:
        """Return an array with 1 at every index of a menu of this size and 0 elsewhere."""
        mask = np.zeros(self.actions, np.int8)
        mask[:size] = 1
        return mask

    def rows(self, menu: Sequence[Action]) -> Floats:
        """Encode a menu as an array of shape (items, `action_width`)."""
        item_rows = np.zeros((len(menu), self.action_width), np.float32)
        for row, action in zip(item_rows, menu, strict=True):
            self._write_action(action, row, 0)
        return item_rows

    @property
    def names(self) -> list[str]:
        """Names of the columns of an observation, in order."""
        return list(list_column_names(self.plan))


def plan_of_seat(game: AnyGame) -> Plan:
    """Return the encoding plan of an observation: columns for the seat, number of players, and visible state."""
    # `ftk_core.rl.view_encoding` describes the format of such plans.
    most = game.seats.stop - 1
    view = plan_of(get_type_hints(game.view)["return"])
    seats = ["number", game.seats.start, most]
    return ["record", [["seat", ["word", list(range(most))]], ["seats", seats], ["view", view]]]


def _read_tag(_field: str) -> Callable[[Any], str]:
    """Return the function that reads the tag of a record: its class knows it, whatever the field."""
    return tag_of
