"""Dialogues with hostile bots, with or without a sandbox, and their results."""

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

from bots.sandbox import forkserver, sandboxed_bot_start as sandbox_spawn
from bots.sandbox.language_runtimes import SandboxUnavailable
from ftk_core.games import game
from ftk_core.games.pig.rules import HoldAction, RollAction
from ftk_core.kit.protocol.child_process import wrap_process
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.log_entries import TimeControl
from ftk_core.players import HelloMessage, NoAnswerError, QuestionToSeat
from tests.support.hostile.suite import HostileBot, list_hostile_bots
from tests.support.hostile.targets import find_marked_files
from tests.support.machine import sandbox_config, working_backends

BACKENDS = tuple(os.environ.get("FTK_HOSTILE_TIERS", " ".join(working_backends())).split())
"""Sandbox backends to test; by default all that work."""
COMMAND = ("python", "bot.py")
QUESTIONS = 3
PIG = game("pig")
CLOCK = TimeControl(move_ms=200, bank_ms=0)
Spawn = Callable[[str, Path, tuple[str, ...]], AbstractContextManager[BotProcessPlayer]]
_PRELUDE = Path(__file__).with_name("prelude.py")
_never = threading.Event()


@contextmanager
def spawn_in_sandbox(
    backend: str, name: str, folder: Path, command: tuple[str, ...] = COMMAND
) -> Iterator[BotProcessPlayer]:
    """Start a stored bot in a sandbox; no other function of the tests of hostile bots does this."""
    with sandbox_spawn.start_in_sandbox(sandbox_config(backend), name, folder, command) as player:
        yield player


@contextmanager
def start_without_sandbox(name: str, folder: Path, command: tuple[str, ...] = COMMAND) -> Iterator[BotProcessPlayer]:
    """Start a bot without any protection, for comparison."""
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
    with BotProcessPlayer(name, wrap_process(process)) as player:
        yield player


@dataclass(slots=True)
class DialogueResult:
    """Result of a bot's matches."""

    answers: int = 0
    notes: list[str] = field(default_factory=list)
    faults: list[NoAnswerError] = field(default_factory=list)
    stderr: str = ""

    @property
    def outcome(self) -> str:
        """``BREACH`` if an attempt succeeded, else the excuse of the first fault, else ``held`` or ``answers``."""
        if any(note.startswith("BREACH") for note in self.notes):
            return "BREACH"
        if self.faults:
            return self.faults[0].excuse
        return "held" if any(note.startswith("held") for note in self.notes) else "answers"

    def __str__(self) -> str:
        return f"{self.outcome}: {self.notes} {[str(fault) for fault in self.faults]} {self.stderr[-300:]}"


def write_hostile_bot(bot: HostileBot, folder: Path, hints: dict[str, Any]) -> dict[str, Any]:
    """Write a bot's files into a folder, with the prelude and hints before its own code; return the hints."""
    folder.chmod(0o755)  # a bot may run as another user
    stored_hints = {**hints, "mark": f"ftk-hostile-{secrets.token_hex(6)}"}
    prelude = _PRELUDE.read_text(encoding="utf-8")
    beginning = prelude.replace("HINTS: dict[str, Any] = {}", f"HINTS = {stored_hints!r}") + "\n"
    assert stored_hints["mark"] in beginning
    for path, source in bot.files:
        (folder / path).write_text(beginning + source if path == COMMAND[1] else source, encoding="utf-8")
    return stored_hints


def play(bot: HostileBot, folder: Path, start: Spawn) -> DialogueResult:
    """Play all of a bot's matches, a few questions each."""
    played = DialogueResult()
    for _ in range(bot.matches):
        with start(bot.name, folder, COMMAND) as player:
            _dialogue(player, bot, played)
        played.notes += [text for _, text in player.notes]
        played.stderr += player.stderr
    return played


def _dialogue(player: BotProcessPlayer, bot: HostileBot, played: DialogueResult) -> None:
    player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=CLOCK.move_ms, bank_ms=CLOCK.bank_ms))
    for number in range(1, QUESTIONS + 1):
        try:
            player.choose(
                QuestionToSeat(
                    PIG, PIG.setup(2, PIG.options()), 0, (HoldAction(), RollAction()), number=number, clock=CLOCK
                )
            )
            played.answers += 1
        except NoAnswerError as silence:
            played.faults.append(silence)
            if not bot.attempts:  # the first fault ends the dialogue with a bot that reports no attempt
                return
        _never.wait(bot.pause_ms / 1000)
    player.over((1, 2))


def list_backends_and_bots() -> list[Any]:
    """Return each backend with each bot; bots that only violate the protocol use the first backend only.

    Each bot is quick with the first backend and with one of the others, and slow with the rest.
    """
    judged_alike = frozenset({"nonsense", "answers"})
    others = max(1, len(BACKENDS) - 1)
    return [
        pytest.param(backend, bot, marks=() if turn < 0 or number % others == turn else pytest.mark.slow)
        for turn, backend in enumerate(BACKENDS, -1)
        for number, bot in enumerate(list_hostile_bots())
        if turn < 0 or bot.expects - judged_alike
    ]


def shorten_timeouts(monkeypatch: pytest.MonkeyPatch, bot: HostileBot) -> None:
    """Shorten the timeouts for a bot that is expected not to answer."""
    if "timeout" in bot.expects:
        monkeypatch.setattr("ftk_core.kit.protocol.process_player.IDLE_MS", 150)
        monkeypatch.setattr("ftk_core.kit.protocol.process_player.STARTUP_MS", 150)


def warm_up() -> None:
    """Start all long-lived processes before a match, so that they are not attributed to a bot."""
    with suppress(SandboxUnavailable):  # every test of that backend then fails with the reason
        if "forkserver" in BACKENDS:
            forkserver.get_server(sandbox_config("forkserver"))


def file_contents(folder: Path) -> dict[str, tuple[int, int, int, int]]:
    """Return the files of a folder with sizes, modes and modification times, without reading them."""
    found = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        found[str(path)] = (status.st_size, status.st_mode, status.st_mtime_ns, status.st_ctime_ns)
    return found


def remove_written_files(mark: str, folder: Path) -> None:
    """Remove the files that a bot without a sandbox wrote."""
    for path in find_marked_files(mark, folder):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
