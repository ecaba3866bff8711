"""OpenSpiel's own bots as players of an arena. In the sandbox this module imports nothing of the arena but the kit."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pyspiel

from ftk_core.kit.bot import Ask

MAX_REPLAYED_ENTRIES = 400
"""Number of replayed history entries after which `guess_state` gives up; in gin rummy that takes 0.1 s."""


def choose_with(make_bot: Callable[[Any, int, int], Any]) -> Callable[[Ask], int]:
    """Return a bot's function `choose`, which returns the index of the chosen action in the menu.

    `make_bot` is a function (game, seat, seed) -> bot of OpenSpiel.
    """

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
    """Return OpenSpiel's object for the game `name` with `seats` players."""
    game = pyspiel.load_game(name)
    return game if game.num_players() == seats else pyspiel.load_game(name, {"players": seats})


def guess_state(game: Any, seat: int, view: dict[str, Any], draw: Random) -> Any | None:
    """Return a guess of OpenSpiel's state that agrees with a seat's view; None if no attempt agrees.

    The entries of the history that the seat saw are applied as they are; the hidden entries are drawn at random.
    """
    history, replayed = view["history"], 0
    while replayed <= MAX_REPLAYED_ENTRIES:
        state = game.new_initial_state()
        replayed += 1 + _replay(state, history, draw)
        is_complete = len(state.history()) == len(history)
        if is_complete and state.current_player() == seat and view["text"] in _texts(state, seat):
            return state
        if -1 not in history:
            return state if is_complete else None
    return None


def _replay(state: Any, history: list[int], draw: Random) -> int:
    """Apply a history to a state, and draw its hidden entries (-1) at random.

    Stop at the first impossible entry, and return the number of applied entries.
    """
    for at, entry in enumerate(history):
        choices = state.legal_actions()
        if not choices or (entry >= 0 and entry not in choices):
            return at
        state.apply_action(entry if entry >= 0 else draw.choice(choices))
    return len(history)


def _texts(state: Any, seat: int) -> list[str]:
    kind = state.get_game().get_type()
    texts = [state.information_state_string(seat)] if kind.provides_information_state_string else []
    return [*texts, *([state.observation_string(seat)] if kind.provides_observation_string else [])]
