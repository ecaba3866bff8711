"""Built-in bots, and starting any bot on the author's own machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import ftk_core.games
from ftk_core.kit.archive import manifest_command
from ftk_core.kit.child import Child, child_of
from ftk_core.kit.compiling import compiled
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.lifeline import tied
from ftk_core.kit.packing import files_in
from ftk_core.kit.remedies import ENTRY_POINT, MANIFEST

UNSTEADY = frozenset({"crashy", "dozer", "slow"})
"""Built-in bots that demonstrate faults and slowness; they are unsuitable as opponents for measuring a bot."""


class NoSuchBot(LookupError):
    """Raised for a bot that is neither built in nor a file; the message lists the built-in bots."""


def house_bots(game: str) -> dict[str, Path]:
    """Return the built-in bots of a game by name, in alphabetical order."""
    folder = Path(str(files(ftk_core.games) / game / "house"))
    return {path.name.removesuffix("_bot.py"): path for path in sorted(folder.glob("*_bot.py"))}


def field_of(game: str, against: Sequence[str]) -> tuple[str, ...]:
    """Return the named opponents, with repeats; "house" stands for all built-in bots that play without faults."""
    steady = [name for name in house_bots(game) if name not in UNSTEADY]
    return tuple(bot for name in against for bot in (steady if name == "house" else [name]))


def locate(game: str, name: str) -> Path:
    """Return the file or folder of a bot given by built-in name or path; raises NoSuchBot."""
    house = house_bots(game)
    path = house.get(name, Path(name))
    if path.is_file() or path.is_dir():
        return path
    raise NoSuchBot(f"{name!r} is neither a file nor a house bot of {game}; these are {', '.join(house)}")


def command_of(game: str, name: str) -> tuple[str, ...]:
    """Return the command that starts a bot, given by built-in name or path, where it is stored.

    Raises NoSuchBot, BadUpload for an invalid manifest, or NotCompiled.
    """
    path = locate(game, name)
    said = _said_in(path) if path.is_dir() else (_language_of(path), path.name)
    return made(said, (path if path.is_dir() else path.parent).resolve())


def made(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return a folder's command with the program's absolute path, compiled if needed; raises NotCompiled."""
    language, program, *words = command
    if LANGUAGES[language].prebuilt and not os.access(folder / program, os.X_OK):
        (folder / program).chmod(0o755)
    file = compiled(language, folder, program) if LANGUAGES[language].compiler else folder / program
    return (language, str(file), *words)


def _said_in(folder: Path) -> tuple[str, ...]:
    if (folder / MANIFEST).is_file():
        return manifest_command(
            (folder / MANIFEST).read_bytes(), [str(file.relative_to(folder)) for file in files_in(folder)]
        )
    if (folder / ENTRY_POINT).is_file():
        return "python", ENTRY_POINT
    raise NoSuchBot(f"there is no {ENTRY_POINT}, and no {MANIFEST}, in the folder {str(folder)!r}")


def _language_of(program: Path) -> str:
    return next((name for name, row in LANGUAGES.items() if row.suffix == program.suffix), "python")


def start(program: Path) -> Child:
    """Start a bot's program without a sandbox: for code you trust."""
    return started((_language_of(program), str(program.resolve())))


def started(command: Sequence[str], folder: Path | None = None) -> Child:
    """Start a bot's command as a child in its own process group, without a sandbox: for code you trust.

    The first word of the command is its language. A program of a language without a runner is started directly. The
    kernel kills the child when this process dies. Raises OSError.
    """
    language, *arguments = command
    row = LANGUAGES[language]
    runner = (sys.executable,) if language == "python" else row.runner
    process = subprocess.Popen(
        tied([*runner, *arguments]),
        cwd=folder,
        env={**os.environ, **row.environment, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    return child_of(process)
