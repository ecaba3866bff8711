"""Built-in bots that run inside this process: they get the same questions as through a pipe, but much faster."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from ftk_core.facts import encode
from ftk_core.games import game
from ftk_core.kit.bot import Ask as BotAsk
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.players import HelloMessage, NoAnswerError, PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play


@cache
def load_bot_module(game_name: str, name: str) -> ModuleType:
    """Return the module of a bot, given by its built-in name or its file."""
    file = list_built_in_bots(game_name).get(name, Path(name))
    spec = spec_from_file_location(f"house_{game_name}_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class LocalPlayer(StatelessPlayer):
    """A player that calls the functions of a built-in bot instead of starting the bot's process."""

    def __init__(self, game_name: str, name: str) -> None:
        super().__init__(name)
        self._choose: Callable[[BotAsk], int] = load_bot_module(game_name, name).choose
        self._dozes: Callable[[BotAsk], bool] = getattr(load_bot_module(game_name, name), "dozes", lambda _ask: False)
        self._hello: dict[str, Any] = {}
        self.crashes = 0

    def greet(self, hello: HelloMessage) -> None:
        self._hello = msgspec.to_builtins(hello)

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Answer like the program; raises NoAnswerError if it would have ended."""
        question = {"id": ask.id, "view": ask.view, "news": ask.news, "menu": ask.menu, "bank_ms": ask.bank_ms}
        asked = BotAsk(self._hello, json.loads(encode(question)))
        if self._dozes(asked):
            raise NoAnswerError("timeout")
        try:
            return PlayerAnswer(self._choose(asked))
        except RuntimeError as error:  # the bot `crashy` raises it; other exceptions are bugs and are not caught
            self.crashes += 1
            raise NoAnswerError("crash", str(error)) from error


def measure_points(game_name: str, names: Sequence[str], games: int) -> list[float]:
    """Return each bot's mean share of opponents beaten; the seats rotate from game to game."""
    totals = [0.0] * len(names)
    for number in range(games):
        seating = [(seat + number) % len(names) for seat in range(len(names))]
        table = [LocalPlayer(game_name, names[bot]) for bot in seating]
        places = play(game(game_name), table, seed_of("strength", *(Path(name).name for name in names), number)).places
        for bot, mine in zip(seating, places, strict=True):
            beaten = sum((other > mine) + 0.5 * (other == mine) for other in places) - 0.5
            totals[bot] += beaten / (len(names) - 1)
    return [total / games for total in totals]
