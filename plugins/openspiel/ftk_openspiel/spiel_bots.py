"""OpenSpiel's own bots as players of an arena. In the sandbox this module imports nothing of the arena but the kit."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pyspiel

from ftk_core.kit.bot import Ask

MAX_TRIES = 200
"""Number of attempts to guess the hidden entries of a history."""


def choose_with(make_bot: Callable[[Any, int, int], Any]) -> Callable[[Ask], int]:
    """Return a bot of the kit from a function (game, seat, seed) -> bot of OpenSpiel."""

    def choose(ask: Ask) -> int:
        seed = Random(json.dumps([ask.seat, ask.id, ask.view], sort_keys=True)).getrandbits(31)
        game = load_game(ask.view["game"], ask.view["seats"])
        state = guess_state(game, ask.seat, ask.view, Random(seed))
        if state is None:
            return Random(seed).randrange(len(ask.menu))
        action = make_bot(game, ask.seat, seed).step(state)
        return next((at for at, item in enumerate(ask.menu) if item["action"] == action), 0)

    return choose


def load_game(name: str, seats: int) -> Any:
    """Return a game of OpenSpiel at a table size."""
    game = pyspiel.load_game(name)
    return game if game.num_players() == seats else pyspiel.load_game(name, {"players": seats})


def guess_state(game: Any, seat: int, view: dict[str, Any], draw: Random) -> Any | None:
    """Return a state that fits a seat's view, with its hidden entries drawn at random; None if no attempt fits."""
    for _ in range(MAX_TRIES):
        state = _replay(game, view["history"], draw)
        if state is not None and state.current_player() == seat and view["text"] in _texts(state, seat):
            return state
        if -1 not in view["history"]:
            return state
    return None


def _replay(game: Any, history: list[int], draw: Random) -> Any | None:
    state = game.new_initial_state()
    for entry in history:
        if state.is_terminal():
            return None
        choices = state.legal_actions()
        if entry >= 0 and entry not in choices:
            return None
        state.apply_action(entry if entry >= 0 else draw.choice(choices))
    return state


def _texts(state: Any, seat: int) -> list[str]:
    kind = state.get_game().get_type()
    texts = [state.information_state_string(seat)] if kind.provides_information_state_string else []
    return [*texts, *([state.observation_string(seat)] if kind.provides_observation_string else [])]
