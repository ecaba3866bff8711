"""State of a bridged game: OpenSpiel's state, and the audience of each entry of its history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pyspiel

EVERYBODY, NOBODY_AT_ALL = -3, -1
"""Values in `TableState.told` for entries that were not seen by exactly one seat.

EVERYBODY: all seats saw the entry. NOBODY_AT_ALL: no seat saw it, or several seats but not all.
"""
MAX_COMPARED_SIBLINGS = 3
"""Approximate number of alternatives with which an outcome or action is compared to find the seats that can see it."""

WITHOUT_RESAMPLING = frozenset({"hearts", "liars_dice"})
"""Games whose states OpenSpiel 2.0.2 cannot resample. In hearts it fails while cards are passed; in the other
games OpenSpiel would print a message at every attempt."""


@cache
def load_game(name: str, seats: int) -> Any:
    """Return OpenSpiel's object for a game with `seats` players; raise ValueError if the arena cannot offer it."""
    try:
        game = pyspiel.load_game(name)
        if game.num_players() != seats:
            game = pyspiel.load_game(name, {"players": seats})
    except pyspiel.SpielError as error:
        raise ValueError(f"OpenSpiel has no game {name!r} for {seats} players: {error}") from error
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(f"{name} has simultaneous moves; only sequential games of OpenSpiel can be bridged")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise ValueError(f"{name} draws its own random numbers; only games with explicit chance can be bridged")
    if not (kind.provides_information_state_string or kind.provides_observation_string):
        raise ValueError(f"{name} describes no observations, so that there is nothing to show to a seat")
    return game


def is_open(game: Any) -> bool:
    """Return True if nothing is hidden in a game."""
    return bool(game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION)


def describe(state: Any, seat: int) -> str:
    """Return the text of everything a seat knows: its information state, or its observation."""
    kind = state.get_game().get_type()
    if kind.provides_observation_string and (is_open(state.get_game()) or not kind.provides_information_state_string):
        return str(state.observation_string(seat))
    return str(state.information_state_string(seat))


def describe_public(state: Any) -> str:
    """Return the text of everything that is public; empty if OpenSpiel has no public observation of the game."""
    game = state.get_game()
    if is_open(game):
        return describe(state, 0)
    observation = _observe_public(game.get_type().short_name, game.num_players())
    return str(observation.string_from(state, 0)) if observation else ""


@cache
def _observe_public(name: str, seats: int) -> Any:
    from open_spiel.python.observation import make_observation  # imports numpy, which only spectators need

    kind = pyspiel.IIGObservationType(public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    return make_observation(load_game(name, seats), kind)


@dataclass(frozen=True, slots=True)
class TableState:
    """State of a match. Equality compares all fields but `spiel`, which follows from the history."""

    game: str
    seats: int
    history: tuple[int, ...] = ()
    """Outcomes of chance and actions, in order, as OpenSpiel numbers them."""
    told: tuple[int, ...] = ()
    """For each entry of the history the only seat that saw it, `EVERYBODY` or `NOBODY_AT_ALL`."""
    spiel: Any = field(default=None, compare=False, repr=False)
    """OpenSpiel's state, which is never changed."""

    def after(self, choice: int, told: int) -> TableState:
        """Return the state after an outcome of chance or an action; raise ValueError for an impossible one."""
        if choice not in self.spiel.legal_actions():
            raise ValueError(f"{choice} is not possible after {len(self.history)} choices of {self.game}")
        spiel = self.spiel.clone()
        spiel.apply_action(choice)
        return TableState(self.game, self.seats, (*self.history, choice), (*self.told, told), spiel)

    def find_audience(self, choice: int) -> int:
        """Return the only seat that can see an outcome or action, `EVERYBODY`, or `NOBODY_AT_ALL` for none or several.

        The acting seat can see it. Another seat can see it if the text that the seat sees afterwards differs from the
        text that it would see after each of the compared alternatives.
        """
        if is_open(self.spiel.get_game()):
            return EVERYBODY
        actor = self.spiel.current_player()
        chosen = self.spiel.child(choice)
        others = [other for other in self.spiel.legal_actions() if other != choice]
        siblings = [self.spiel.child(other) for other in others[:: max(1, len(others) // MAX_COMPARED_SIBLINGS)]]
        siblings = siblings or [self.spiel]  # if it is the only choice, compare with the state before it
        seeing = [
            seat
            for seat in range(self.seats)
            if seat == actor or all(describe(chosen, seat) != describe(other, seat) for other in siblings)
        ]
        if len(seeing) == self.seats:
            return EVERYBODY
        return seeing[0] if len(seeing) == 1 else NOBODY_AT_ALL


def begin(game: str, seats: int) -> TableState:
    """Return the state before the first draw; raise ValueError for a game that cannot be bridged."""
    return TableState(game, seats, spiel=load_game(game, seats).new_initial_state())


def resample(state: TableState, seat: int, draw: Callable[[], float]) -> TableState:
    """Return a state drawn by OpenSpiel among the states that a seat cannot distinguish from `state`."""
    spiel = state.spiel.resample_from_infostate(seat, draw)
    return TableState(state.game, state.seats, tuple(spiel.history()), state.told, spiel)


@cache
def can_resample(game: str, seats: int) -> bool:
    """Return True if OpenSpiel can resample states of a game."""
    if game in WITHOUT_RESAMPLING:
        return False
    state = load_game(game, seats).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    try:
        state.resample_from_infostate(state.current_player(), Random(0).random)
    except pyspiel.SpielError:
        return False
    return True
