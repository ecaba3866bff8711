"""Bots that are called as Python functions in this process instead of over a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from gettext import gettext
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec

from ftk_core.kit.bot import Ask as BotsAsk
from ftk_core.kit.built_in_bots import find_command
from ftk_core.kit.protocol.protocol_lines import CompleteMatchStateLine
from ftk_core.players import HelloMessage, NoAnswerError, PlayerAnswer, QuestionToSeat, StatelessPlayer


class InProcessBotError(TypeError):
    """Raised for a bot that cannot be called in this process."""


class InProcessBot(StatelessPlayer):
    """A Python bot that is called as a function in this process.

    Use it only for code you trust: there is no sandbox and no time limit. Exceptions of the bot propagate.
    """

    def __init__(self, game: str, name: str) -> None:
        """Load the bot, given by built-in name or path.

        Raises InProcessBotError if it is not Python. Raises BotNotFound, InvalidUploadError, CompileError.
        """
        super().__init__(name)
        language, program, *_ = find_command(game, name)
        if language != "python":
            raise InProcessBotError(
                gettext("{name} is in {language}: only Python can be asked in this process").format(
                    name=name, language=language
                )
            )
        self._program = Path(program)
        self._choose = _choose_of(self._program)
        self._hello: dict[str, Any] = {}

    def greet(self, hello: HelloMessage) -> None:
        """Reload the bot's module, because every match starts a bot anew."""
        self._hello = msgspec.to_builtins(hello)
        self._choose = _choose_of(self._program)

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Call the bot with the question. Raises NoAnswerError for an index that is not on the menu."""
        # The question is converted to JSON and back, as a pipe would transmit it.
        view, news, menu = msgspec.json.decode(msgspec.json.encode((ask.view, ask.news, ask.menu)))
        line = {"id": ask.id, "view": view, "news": news, "menu": menu, "bank_ms": ask.bank_ms}
        asked = BotsAsk(self._hello, line, lambda: msgspec.json.decode(CompleteMatchStateLine.of(ask).state))
        index = self._choose(asked)
        if not 0 <= index < len(menu):
            raise NoAnswerError("nonsense", gettext("refused: there is no item {index}").format(index=repr(index)))
        return PlayerAnswer(index)


def _choose_of(program: Path) -> Callable[[BotsAsk], int]:
    """Load a bot's file as a new module and return its function `choose`."""
    # The name is unique for each file, because `sys.modules` has one module of a name.
    name = f"ftk_bot_{program.stem}_{sha256(bytes(program)).hexdigest()[:16]}"
    spec = spec_from_file_location(name, program)
    if spec is None or spec.loader is None:
        raise InProcessBotError(
            gettext("{program} is not a Python file, so it cannot run inside this process").format(program=program)
        )
    sys.modules[name] = module = module_from_spec(spec)  # dataclasses look their module up there
    stdin, sys.stdin = sys.stdin, StringIO()  # a last line `run(choose)` would read this process's questions
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(name, None)
        if not isinstance(error, ImportError):
            raise
        raise InProcessBotError(
            gettext(
                "{program} cannot run inside this process, because it imports what is missing here, such as"
                " other files of its folder: {error}"
            ).format(program=program, error=error)
        ) from error
    finally:
        sys.stdin = stdin
    choose: Callable[[BotsAsk], int] | None = getattr(module, "choose", None)
    if choose is None:
        raise InProcessBotError(
            gettext("{program} has no function `choose(ask)`, so it cannot run inside this process").format(
                program=program
            )
        )
    return choose
