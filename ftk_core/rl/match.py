"""Match without log, referee or clocks, with the same questions as the referee would ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ftk_core.bare import dealt, follow_of
from ftk_core.facts import Action
from ftk_core.fold import AnyGame
from ftk_core.game import Result
from ftk_core.rng import Chance


class MenuTooLong(ValueError):
    """Raised if a menu is longer than the game declares. It is not truncated."""


class BareMatch:
    """Match in progress: its `history`, its current `state`, and the menus of the seats to act.

    The same seed and the same choices lead to the same states as in `ftk_core.referee.play`.
    """

    __slots__ = ("_chance", "_due", "_follow", "game", "history", "menus", "seats", "state")

    def __init__(self, game: AnyGame, seats: int, seed: bytes, options: msgspec.Struct | None = None) -> None:
        """Deal; raise ValueError if the game does not allow this number of seats or these options."""
        self.game, self.seats, self._chance, self._follow = game, seats, Chance(seed), follow_of(game)
        self.history, self.state = dealt(game, seats, self._chance, options)
        self.menus: dict[int, tuple[Action, ...]] = {}
        """Menus of the seats that are asked now, lowest seat first; empty when the match is over.

        Several seats are asked at once if they may not know each other's choices.
        """
        self._due: list[tuple[int, tuple[Action, ...]]] = []
        self._ask()

    def choose(self, choices: Mapping[int, int]) -> None:
        """Apply one choice, an index into the menu, of every seat that is asked; play on until the next question.

        Raise KeyError for a missing choice, IndexError for an index beyond the menu.
        """
        menus = self.menus
        self._round([(seat, menu[choices[seat]] if seat in menus else menu[0]) for seat, menu in self._due])
        self._ask()

    @property
    def result(self) -> Result:
        """Result of the match, meaningful only when it is over."""
        return self.game.result(self.state)

    def _round(self, choices: Iterable[tuple[int, Action]]) -> None:
        for seat, action in choices:
            facts, self.state = self._follow(self.state, seat, action, self._chance)
            self.history += facts

    def _ask(self) -> None:
        """Play forced moves as the referee does until a seat has a choice, or a forced move must stay secret."""
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
