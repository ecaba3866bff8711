"""One match without a log, a referee or clocks: the rules alone, asked as the referee asks them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ftk_core.bare import dealt, follow_of
from ftk_core.facts import Action
from ftk_core.fold import AnyGame
from ftk_core.game import Result
from ftk_core.rng import Chance


class MenuTooLong(ValueError):
    """Raised for a menu that is longer than the game says a menu can be; nothing is cut off it."""


class BareMatch:
    """A match in progress: `history`, the `state` behind it, and who is asked what.

    With the same seed and the same choices it comes to the same states as `ftk_core.referee.play`.
    """

    __slots__ = ("_chance", "_due", "_follow", "game", "history", "menus", "seats", "state")

    def __init__(self, game: AnyGame, seats: int, seed: bytes, options: msgspec.Struct | None = None) -> None:
        """Deal; raises ValueError when the game is not played by so many, or not with these options."""
        self.game, self.seats, self._chance, self._follow = game, seats, Chance(seed), follow_of(game)
        self.history, self.state = dealt(game, seats, self._chance, options)
        self.menus: dict[int, tuple[Action, ...]] = {}
        """The seats that are asked now, lowest first, each with its menu; empty when the match is over.

        Several are asked at the same time where none may know what the others choose.
        """
        self._due: list[tuple[int, tuple[Action, ...]]] = []
        self._ask()

    def choose(self, choices: Mapping[int, int]) -> None:
        """Let every seat that is asked choose an index into its menu, and play on until somebody is asked again.

        Raises KeyError for a seat that is asked and does not choose, IndexError for an index off the menu.
        """
        menus = self.menus
        self._round([(seat, menu[choices[seat]] if seat in menus else menu[0]) for seat, menu in self._due])
        self._ask()

    @property
    def result(self) -> Result:
        """How it ended; of a match that goes on it says nothing."""
        return self.game.result(self.state)

    def _round(self, choices: Iterable[tuple[int, Action]]) -> None:
        for seat, action in choices:
            facts, self.state = self._follow(self.state, seat, action, self._chance)
            self.history += facts

    def _ask(self) -> None:
        """Play what is forced, as the referee does, until somebody has a choice; ask, too, where that is a secret."""
        game, longest = self.game, self.game.longest_menu
        while True:
            state = self.state
            self._due = due = [(seat, game.legal(state, seat)) for seat in game.turn(state)]
            for seat, menu in due:
                if len(menu) > longest:
                    raise MenuTooLong(f"seat {seat} has {len(menu)} choices and {game.title} says {longest}: raise it")
            self.menus = {seat: menu for seat, menu in due if len(menu) > 1}
            if len(self.menus) < len(due) and game.veiled(state):
                self.menus = dict(due)
            if self.menus or not due:
                return
            self._round([(seat, menu[0]) for seat, menu in due])
