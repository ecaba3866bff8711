"""Match for learning programs, without log, referee or clocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ftk_core.facts import Action
from ftk_core.game import MatchResult
from ftk_core.match_state_from_log import AnyGame
from ftk_core.random_streams import MatchRandomness
from ftk_core.unlogged_play import deal_table, follow_of


class ActionLimitExceeded(ValueError):
    """Raised if a menu is longer than the game's declared maximum, `Game.longest_menu`; menus are never truncated."""


class SimulatedMatch:
    """Match in progress. The same seed and choices give the same result as in a logged match."""

    __slots__ = ("_chance", "_due", "_follow", "game", "history", "menus", "seats", "state")

    def __init__(self, game: AnyGame, seats: int, seed: bytes, options: msgspec.Struct | None = None) -> None:
        """Start a match. Raises ValueError for an impossible number of players or options."""
        self.game, self.seats, self._chance, self._follow = game, seats, MatchRandomness(seed), follow_of(game)
        self.history, self.state = deal_table(game, seats, self._chance, options)
        self.menus: dict[int, tuple[Action, ...]] = {}
        """Seat that must choose now -> its menu, lowest seat first; empty when the match is over.

        There are several seats if they choose simultaneously.
        """
        self._due: list[tuple[int, tuple[Action, ...]]] = []
        self._ask()

    def choose(self, choices: Mapping[int, int]) -> None:
        """Apply the players' choices (seat -> menu index), and play on to the next choices.

        Raises KeyError for a missing choice, IndexError for an index beyond the menu.
        """
        menus = self.menus
        self._round([(seat, menu[choices[seat]] if seat in menus else menu[0]) for seat, menu in self._due])
        self._ask()

    @property
    def result(self) -> MatchResult:
        """Result of the match, meaningful only when it is over."""
        return self.game.result(self.state)

    def _round(self, choices: Iterable[tuple[int, Action]]) -> None:
        for seat, action in choices:
            facts, self.state = self._follow(self.state, seat, action, self._chance)
            self.history += facts

    def _ask(self) -> None:
        """Play forced moves, then set `menus` for the players who must choose next."""
        # If opponents must not notice that a move is forced, it is not played, and `menus` includes its menu of one
        # item.
        game, longest = self.game, self.game.longest_menu
        while True:
            state = self.state
            self._due = due = [(seat, game.legal(state, seat)) for seat in game.turn(state)]
            for seat, menu in due:
                if len(menu) > longest:
                    raise ActionLimitExceeded(
                        f"seat {seat} has {len(menu)} choices and {game.title} says {longest}: raise it"
                    )
            self.menus = {seat: menu for seat, menu in due if len(menu) > 1}
            if len(self.menus) < len(due) and game.veiled(state):
                self.menus = dict(due)
            if self.menus or not due:
                return
            self._round([(seat, menu[0]) for seat, menu in due])
