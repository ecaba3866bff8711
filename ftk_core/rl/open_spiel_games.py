"""OpenSpiel games: every game as a `pyspiel.Game` with explicit chance nodes.

Import this module where `open-spiel` is installed, then call `pyspiel.load_game("ftk_pig(players=3)")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ftk_core.facts import encode, redact
from ftk_core.games import game as find_game, list_games
from ftk_core.league.scoring.entrant_stage_totals import share_left_behind
from ftk_core.match_state_from_log import AnyGame
from ftk_core.random_streams import UnseededRandomness
from ftk_core.rl.observation_encoder import ObservationEncoder
from ftk_core.unlogged_play import deal_table, follow_of

pyspiel: Any = import_module("pyspiel")
"""The package `open-spiel`, imported dynamically: it has no type annotations and is not a dependency."""
PREFIX = "ftk_"
MAX_CHANCE_OUTCOMES = 1000
"""Upper limit of the equally likely outcomes of one draw. Shuffles are many draws."""
MAX_GAME_LENGTH = 100_000
"""Upper limit of the moves of a match; the rules end every match long before."""


class ChanceOutcomeMissingError(Exception):
    """Raised when a match needs a random outcome that is not chosen yet. `ways` counts the equally likely outcomes."""

    def __init__(self, ways: int) -> None:
        super().__init__(ways)
        self.ways = ways


class OpenSpielState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """State of a match. Players who choose simultaneously are asked one after another."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._name, self._seats = game.rules.name, game.num_players()
        self._table: Any = None
        self._facts: list[Any] = []
        self._own_actions: dict[int, list[tuple[int, int]]] = {seat: [] for seat in range(self._seats)}
        """By seat: for each choice of the seat, a pair (number of facts before the choice, menu index)."""
        self._due: list[tuple[int, int]] = []
        """Choices (seat, menu index) made so far in the present state; they are applied when all seats have chosen."""
        self._draws: list[int] = []
        """Outcomes of the draws of the step that is being computed."""
        self._ways = 0
        """Number of outcomes if this state is a chance node, otherwise 0."""
        self._advance()

    @property
    def _rules(self) -> AnyGame:
        return find_game(self._name)  # not stored, because a clone copies all attributes

    def _advance(self) -> None:
        """Play on to the next random outcome, the next choice or the end of the match."""
        while True:
            try:
                facts, table = self._compute_step()
            except ChanceOutcomeMissingError as draw:
                self._ways = draw.ways
                return
            self._facts, self._table = [*self._facts, *facts], table
            self._due, self._draws, self._ways = [], [], 0
            seats = self._rules.turn(table)
            menus = [self._rules.legal(table, seat) for seat in seats]
            if not seats or self._rules.veiled(table) or any(len(menu) > 1 for menu in menus):
                return
            self._due = [(seat, 0) for seat in seats]  # forced moves are played without a node

    def _compute_step(self) -> tuple[Sequence[Any], Any]:
        outcomes = iter(self._draws)

        def below(bound: int) -> int:
            if bound == 1:
                return 0
            for outcome in outcomes:
                return outcome
            raise ChanceOutcomeMissingError(bound)

        chance = UnseededRandomness(below)
        if self._table is None:
            return deal_table(self._rules, self._seats, chance)
        follow, table, facts = follow_of(self._rules), self._table, list[Any]()
        for seat, action in [(seat, self._rules.legal(table, seat)[index]) for seat, index in self._due]:
            new, table = follow(table, seat, action, chance)
            facts += new
        return facts, table

    def current_player(self) -> int:
        """Return the seat that must choose, or OpenSpiel's player id of a chance or terminal node."""
        if self._ways:
            return int(pyspiel.PlayerId.CHANCE)
        seats = self._rules.turn(self._table)
        return seats[len(self._due)] if seats else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._rules.legal(self._table, player))))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return pairs (outcome, probability) for the equally likely outcomes of the draw."""
        return [(outcome, 1 / self._ways) for outcome in range(self._ways)]

    def _apply_action(self, action: int) -> None:
        if self._ways:
            self._draws.append(action)
        else:
            seat = self.current_player()
            self._own_actions[seat].append((len(self._facts), action))
            self._due.append((seat, action))
            seats = self._rules.turn(self._table)
            if len(self._due) < len(seats):
                return
        self._advance()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action}"
        return encode(self._rules.legal(self._table, player)[action]).decode()

    def is_terminal(self) -> bool:
        """Return True after the end of the match."""
        return not self._ways and not self._rules.turn(self._table)

    def returns(self) -> list[float]:
        """Return each player's reward: the share of opponents beaten, or 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self._seats
        places = self._rules.result(self._table).places
        return [float(share_left_behind(places, seat)) for seat in range(self._seats)]

    def describe_knowledge(self, seat: int) -> str:
        """Return all events shown to a player and the player's own choices as lines of JSON."""
        told = [encode(redact(fact, seat)).decode() for fact in self._facts]
        for number, (facts, action) in enumerate(self._own_actions[seat]):
            told.insert(facts + number, f'{{"choose":{action}}}')
        return "\n".join([f'{{"seat":{seat},"seats":{self._seats}}}', *told])

    def view_of(self, seat: int) -> Any:
        """Return what a player may see; None until the deal is complete."""
        return None if self._table is None else self._rules.view(self._table, seat)

    def __str__(self) -> str:
        facts = [encode(fact).decode() for fact in self._facts]
        return "\n".join([*facts, f"draws {self._draws}", f"choices {self._due}"])


class OpenSpielObserver:
    """Observer of a match for one player.

    Its string lists everything ever shown to the player (perfect recall); its tensor encodes only the present view.
    """

    def __init__(self, game: OpenSpielGame) -> None:
        self._encoder, self._seats = ObservationEncoder(find_game(game.rules.name)), game.num_players()
        self.tensor = np.zeros(self._encoder.width, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a player sees into the tensor. All numbers are 0 until the deal is complete."""
        self.tensor.fill(0)
        if (view := state.view_of(player)) is not None:
            self.tensor[:] = self._encoder.observation(view, player, self._seats)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return all events shown to a player and the player's own choices as text."""
        return state.describe_knowledge(player)


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """Registered game with the interface of OpenSpiel. The parameter `players` is the number of seats."""

    rules: AnyGame
    about: Any
    """The game's `pyspiel.GameType`."""

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        rules = self.rules
        seats = int((parameters or {}).get("players", rules.seats.start))
        if seats not in rules.seats:
            least, most = rules.seats.start, rules.seats.stop - 1
            raise ValueError(f"players={seats}: {rules.title} has {least} to {most} seats")
        size = pyspiel.GameInfo(
            num_distinct_actions=rules.longest_menu, max_chance_outcomes=MAX_CHANCE_OUTCOMES, num_players=seats,
            min_utility=0.0, max_utility=1.0, utility_sum=seats / 2, max_game_length=MAX_GAME_LENGTH,
        )  # fmt: skip
        super().__init__(self.about, size, parameters or {})

    def new_initial_state(self) -> OpenSpielState:
        """Return the state before any card is dealt."""
        return OpenSpielState(self)

    def make_py_observer(self, _type: Any = None, _params: Any = None) -> OpenSpielObserver:
        """Return an observer of states. The arguments of OpenSpiel are ignored."""
        return OpenSpielObserver(self)


def register_games() -> None:
    """Register all games with OpenSpiel, as `ftk_pig` and so on."""
    for rules in list_games().values():
        about = pyspiel.GameType(
            short_name=f"{PREFIX}{rules.name}",
            long_name=rules.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.CONSTANT_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=rules.seats.stop - 1,
            min_num_players=rules.seats.start,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={"players": rules.seats.start},
        )
        # Register a class: a registered function is destroyed after the interpreter's end, which aborts the program.
        fields = {"rules": rules, "about": about}
        pyspiel.register_game(about, type(f"Spiel{rules.name}", (OpenSpielGame,), fields))


register_games()
