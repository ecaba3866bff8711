"""Bots in a sandbox, and a dialogue with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.games import game
from ftk_core.games.pig.rules import HoldAction, RollAction
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.log_entries import TimeControl
from ftk_core.players import HelloMessage, QuestionToSeat
from tests.support.machine import sandbox_config

PIG = game("pig")
NOTING_BOT = """
from ftk_core.kit.bot import run
import json, sys
def said(ask):
{body}
lines = iter(sys.stdin.readline, "")
next(lines)
for line in lines:
    ask = json.loads(line)
    if ask["type"] == "ask":
        try:
            note = said(ask)
        except BaseException as error:
            note = f"{{type(error).__name__}}: {{error}}"
        print(json.dumps({{"id": ask["id"], "choose": 0, "note": str(note)[:500]}}))
"""
"""A bot whose answers have the result of a few lines of code as their note; it does not flush its output."""


def question(number: int = 1, move_ms: int = 3000) -> QuestionToSeat:
    return QuestionToSeat(
        PIG, PIG.setup(2, PIG.options()), 0, (HoldAction(), RollAction()), number=number, clock=TimeControl(move_ms, 0)
    )


@contextmanager
def start_bot_in(
    backend: str, folder: Path, source: str, file: str = "bot.py", runtime: str = "python"
) -> Iterator[BotProcessPlayer]:
    """Yield the player of a bot that was started in a sandbox and has got its greeting."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)  # a bot may run as another user
    (folder / file).write_text(source)
    with start_in_sandbox(sandbox_config(backend), "bot", folder, (runtime, file)) as player:
        player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
        yield player


def run_lines_in(backend: str, folder: Path, body: str) -> str:
    """Run a few lines of Python in a sandbox; return their return value."""
    source = NOTING_BOT.format(body="\n".join("    " + line for line in body.splitlines()))
    with start_bot_in(backend, folder, source) as player:
        player.choose(question())
        return player.notes[0][1]
