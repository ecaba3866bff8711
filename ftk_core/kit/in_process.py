"""Bots that are called as functions in this process instead of over a pipe."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec

from ftk_core.kit.bot import Ask as BotsAsk
from ftk_core.kit.house import command_of
from ftk_core.players import Answer, Ask, Hello, NoAnswer, Quiet


class NotInProcess(TypeError):
    """Raised for a bot that cannot be called in this process; the message names the bot and the requirement."""


class BotInProcess(Quiet):
    """A built-in Python bot, or a Python file of your own, called as a function.

    It is faster than a process and trusted like your own code: no sandbox, no clock. Its exceptions propagate.
    """

    def __init__(self, game: str, name: str) -> None:
        """Load the bot.

        Raises NotInProcess if it is not a single file with `choose`, and the errors of `command_of`.
        """
        super().__init__(name)
        language, program, *_ = command_of(game, name)
        if language != "python":
            raise NotInProcess(f"{name} is in {language}: only Python can be asked in this process")
        self._program = Path(program)
        self._choose = _choose_of(self._program)
        self._hello: dict[str, Any] = {}

    def greet(self, hello: Hello) -> None:
        """Reload the bot's module, as a new process does in every match."""
        self._hello = msgspec.to_builtins(hello)
        self._choose = _choose_of(self._program)

    def choose(self, ask: Ask) -> Answer:
        """Call the bot with the question as a pipe would transmit it; raises NoAnswer for an index off the menu."""
        view, news, menu = msgspec.json.decode(msgspec.json.encode((ask.view, ask.news, ask.menu)))
        line = {"id": ask.id, "view": view, "news": news, "menu": menu, "bank_ms": ask.bank_ms}
        index = self._choose(BotsAsk(self._hello, line))
        if not 0 <= index < len(menu):
            raise NoAnswer("nonsense", f"refused: there is no item {index!r}")
        return Answer(index)


def _choose_of(program: Path) -> Callable[[BotsAsk], int]:
    """Load a bot's file as a new module and return its `choose`."""
    spec = spec_from_file_location(f"ftk_bot_{program.stem}", program)
    if spec is None or spec.loader is None:
        raise NotInProcess(f"{program} is no Python file, by which it could be asked in this process")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        raise NotInProcess(
            f"{program} cannot be asked in this process, where files beside it are not: {error}"
        ) from error
    choose: Callable[[BotsAsk], int] | None = getattr(module, "choose", None)
    if choose is None:
        raise NotInProcess(f"{program} has no function `choose(ask)`, by which it could be asked in this process")
    return choose
