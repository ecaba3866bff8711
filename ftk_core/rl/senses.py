"""Inputs of a learner: an observation, an action mask, and features of the menu items, all of fixed shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_type_hints

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ftk_core.facts import Action
from ftk_core.fold import AnyGame
from ftk_core.rl.plans import Plan, names_in, plan_of, tag_of
from ftk_core.rl.reading import size_of, writer

Floats = NDArray[np.float32]
Mask = NDArray[np.int8]


class Senses:
    """Encoder of one game's views and menus as numbers between 0 and 1, with the same shape at every table size."""

    def __init__(self, game: AnyGame) -> None:
        """Derive the feature plans from the game's types; raise NoBounds if a type has no bounds."""
        self.game = game
        self.plan = plan_of_seat(game)
        self.action_plan = plan_of(game.actions, "action")
        self.width, self.action_width = size_of(self.plan), size_of(self.action_plan)
        self.actions = game.longest_menu
        (_, seat), (_, seats), (_, view) = self.plan[1]
        self._parts = [(writer(plan, getattr, tag_of), size_of(plan)) for plan in (seat, seats, view)]
        self._write_action = writer(self.action_plan, getattr, tag_of, "action")

    def observation_space(self) -> spaces.Box:
        """Create a space of observations."""
        return spaces.Box(0.0, 1.0, (self.width,), np.float32)

    def action_space(self) -> spaces.Discrete[np.int64]:
        """Create a space of actions: indices into a menu."""
        return spaces.Discrete(self.actions)

    def observation(self, view: Any, seat: int, seats: int) -> Floats:
        """Encode everything a seat knows, in the columns of `names`; raise BeyondBounds if a bound is wrong."""
        row = np.zeros(self.width, np.float32)
        at = 0
        for value, (write, size) in zip((seat, seats, view), self._parts, strict=True):
            write(value, row, at)
            at += size
        return row

    def mask(self, menu: Sequence[Action]) -> Mask:
        """Return 1 for every index into the menu and 0 for the rest; all 0 if there is no choice."""
        mask = np.zeros(self.actions, np.int8)
        mask[: len(menu)] = 1
        return mask

    def rows(self, menu: Sequence[Action]) -> Floats:
        """Encode each item of a menu as a row of `action_width` numbers."""
        rows = np.zeros((len(menu), self.action_width), np.float32)
        for row, action in zip(rows, menu, strict=True):
            self._write_action(action, row, 0)
        return rows

    @property
    def names(self) -> list[str]:
        """Name of each column of an observation."""
        return list(names_in(self.plan))


def plan_of_seat(game: AnyGame) -> Plan:
    """Return the feature plan of everything a seat knows: its number, the number of seats, and its view."""
    most = game.seats.stop - 1
    view = plan_of(get_type_hints(game.view)["return"])
    seats = ["number", game.seats.start, most]
    return ["record", [["seat", ["word", list(range(most))]], ["seats", seats], ["view", view]]]
