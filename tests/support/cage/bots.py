"""Bots to be caged, and a dialogue with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bots.cage.spawn import caged
from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.games.pig.rules import Hold, Roll
from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import Ask, Hello
from tests.support.machine import cage_of

PIG = game("pig")
SAYS = """
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
"""A bot that notes what became of a few lines of code; it forgets to flush, as authors do."""


def question(number: int = 1, move_ms: int = 3000) -> Ask:
    return Ask(PIG, PIG.setup(2, PIG.options()), 0, (Hold(), Roll()), number=number, clock=Clock(move_ms, 0))


@contextmanager
def bot_in(tier: str, folder: Path, source: str, file: str = "bot.py", runtime: str = "python") -> Iterator[PipePlayer]:
    """Yield a greeted bot."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)  # a bot may be somebody else
    (folder / file).write_text(source)
    with caged(cage_of(tier), "bot", folder, (runtime, file)) as player:
        player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
        yield player


def note_of(tier: str, folder: Path, body: str) -> str:
    """Return what became of a few lines, which may `return` something."""
    source = SAYS.format(body="\n".join("    " + line for line in body.splitlines()))
    with bot_in(tier, folder, source) as player:
        player.choose(question())
        return player.notes[0][1]
