"""Plays a short dialogue with a hostile bot, in a cage or without, and says what came of it."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bots.cage import forkserver
from bots.cage import spawn as cage
from bots.cage.runtime import CageUnavailable
from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.games.pig.rules import Hold, Roll
from ftk_core.kit.child import child_of
from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import Ask, Hello, NoAnswer
from tests.support.hostile.suite import Hostile, hostile_bots
from tests.support.hostile.world import traces
from tests.support.machine import cage_of, held_tiers

TIERS = tuple(os.environ.get("FTK_HOSTILE_TIERS", " ".join(held_tiers())).split())
"""The ways to contain a bot that are put to the test: all, unless told otherwise."""
COMMAND = ("python", "bot.py")
QUESTIONS = 3
PIG = game("pig")
CLOCK = Clock(move_ms=200, bank_ms=0)
Spawn = Callable[[str, Path, tuple[str, ...]], AbstractContextManager[PipePlayer]]
_PRELUDE = Path(__file__).with_name("prelude.py")
_never = threading.Event()


@contextmanager
def spawn(tier: str, name: str, folder: Path, command: tuple[str, ...] = COMMAND) -> Iterator[PipePlayer]:
    """Start a stored bot in a cage: the only lines of this suite that know how."""
    with cage.caged(cage_of(tier), name, folder, command) as player:
        yield player


@contextmanager
def uncaged(name: str, folder: Path, command: tuple[str, ...] = COMMAND) -> Iterator[PipePlayer]:
    """Start a bot with nothing around it, as carelessly as can be: what an attempt is compared with."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", str(folder / command[1])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=folder,
        close_fds=False,
        start_new_session=True,
    )
    with PipePlayer(name, child_of(process)) as player:
        yield player


@dataclass(slots=True)
class Played:
    """What a bot's matches came to."""

    answers: int = 0
    notes: list[str] = field(default_factory=list)
    faults: list[NoAnswer] = field(default_factory=list)
    stderr: str = ""

    @property
    def outcome(self) -> str:
        """``BREACH``, the first fault's excuse, ``held``, or ``answers``."""
        if any(note.startswith("BREACH") for note in self.notes):
            return "BREACH"
        if self.faults:
            return self.faults[0].excuse
        return "held" if any(note.startswith("held") for note in self.notes) else "answers"

    def __str__(self) -> str:
        return f"{self.outcome}: {self.notes} {[str(fault) for fault in self.faults]} {self.stderr[-300:]}"


def store(bot: Hostile, folder: Path, hints: dict[str, Any]) -> dict[str, Any]:
    """Write a bot's files into a folder, the prelude and the hints before its own code; return the hints."""
    folder.chmod(0o755)  # a bot may be somebody else
    told = {**hints, "mark": f"ftk-hostile-{secrets.token_hex(6)}"}
    prelude = _PRELUDE.read_text(encoding="utf-8")
    head = prelude.replace("HINTS: dict[str, Any] = {}", f"HINTS = {told!r}") + "\n"
    assert told["mark"] in head
    for path, source in bot.files:
        (folder / path).write_text(head + source if path == COMMAND[1] else source, encoding="utf-8")
    return told


def play(bot: Hostile, folder: Path, start: Spawn) -> Played:
    """Play all of a bot's matches, a few questions each."""
    played = Played()
    for _ in range(bot.matches):
        with start(bot.name, folder, COMMAND) as player:
            _dialogue(player, bot, played)
        played.notes += [text for _, text in player.notes]
        played.stderr += player.stderr
    return played


def _dialogue(player: PipePlayer, bot: Hostile, played: Played) -> None:
    player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=CLOCK.move_ms, bank_ms=CLOCK.bank_ms))
    for number in range(1, QUESTIONS + 1):
        try:
            player.choose(Ask(PIG, PIG.setup(2, PIG.options()), 0, (Hold(), Roll()), number=number, clock=CLOCK))
            played.answers += 1
        except NoAnswer as silence:
            played.faults.append(silence)
            if not bot.attempts:  # it has failed as it should, or otherwise
                return
        _never.wait(bot.pause_ms / 1000)
    player.over((1, 2))


def pairs() -> list[tuple[str, Hostile]]:
    """Return every bot with every tier; what is merely said over the pipe is judged alike in all, so with the first."""
    said = frozenset({"nonsense", "answers"})
    return [(tier, bot) for tier in TIERS for bot in hostile_bots() if tier == TIERS[0] or bot.expects - said]


def lose_patience(monkeypatch: pytest.MonkeyPatch, bot: Hostile) -> None:
    """Wait only briefly for a bot that is expected not to answer."""
    if "timeout" in bot.expects:
        monkeypatch.setattr("ftk_core.kit.pipe.IDLE_MS", 150)
        monkeypatch.setattr("ftk_core.kit.pipe.STARTUP_MS", 150)


def warm_up() -> None:
    """Start what stays between matches, so that it is not taken for something a bot has left."""
    with suppress(CageUnavailable):  # every test of that tier then fails and says why
        if "forkserver" in TIERS:
            forkserver.server(cage_of("forkserver"))


def contents(folder: Path) -> dict[str, tuple[int, int, int, int]]:
    """Return what is in a folder, with sizes, modes and times of change; nothing is read, which would show too."""
    found = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        found[str(path)] = (status.st_size, status.st_mode, status.st_mtime_ns, status.st_ctime_ns)
    return found


def sweep(mark: str, folder: Path) -> None:
    """Remove what an uncaged bot wrote."""
    for path in traces(mark, folder):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
