"""House bots played inside this process: asked with the same lines as through a pipe, but much faster."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import msgspec

from ftk_core.facts import encode
from ftk_core.games import game
from ftk_core.kit.bot import Ask as BotAsk
from ftk_core.kit.house import house_bots
from ftk_core.players import Answer, Ask, Hello, NoAnswer, Quiet
from ftk_core.referee import play
from ftk_core.rng import seed_of


@cache
def program(game_name: str, name: str) -> ModuleType:
    """Return the module of a house bot."""
    spec = spec_from_file_location(f"house_{game_name}_{name}", house_bots(game_name)[name])
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class LocalPlayer(Quiet):
    """A house bot that need not be started."""

    def __init__(self, game_name: str, name: str) -> None:
        super().__init__(name)
        self._choose: Callable[[BotAsk], int] = program(game_name, name).choose
        self._dozes: Callable[[BotAsk], bool] = getattr(program(game_name, name), "dozes", lambda _ask: False)
        self._hello: dict[str, Any] = {}
        self.crashes = 0

    def greet(self, hello: Hello) -> None:
        self._hello = msgspec.to_builtins(hello)

    def choose(self, ask: Ask) -> Answer:
        """Answer as the program would; raises NoAnswer where it would have ended."""
        question = {"id": ask.id, "view": ask.view, "news": ask.news, "menu": ask.menu, "bank_ms": ask.bank_ms}
        asked = BotAsk(self._hello, json.loads(encode(question)))
        if self._dozes(asked):
            raise NoAnswer("timeout")
        try:
            return Answer(self._choose(asked))
        except RuntimeError as error:  # what crashy raises; a bug in a bot is not hidden here
            self.crashes += 1
            raise NoAnswer("crash", str(error)) from error


def points(game_name: str, names: Sequence[str], games: int) -> list[float]:
    """Return each bot's mean share of opponents beaten, the seats rotating from game to game."""
    totals = [0.0] * len(names)
    for number in range(games):
        seating = [(seat + number) % len(names) for seat in range(len(names))]
        table = [LocalPlayer(game_name, names[bot]) for bot in seating]
        places = play(game(game_name), table, seed_of("strength", *names, number)).places
        for bot, mine in zip(seating, places, strict=True):
            beaten = sum((other > mine) + 0.5 * (other == mine) for other in places) - 0.5
            totals[bot] += beaten / (len(names) - 1)
    return [total / games for total in totals]
