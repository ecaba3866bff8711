"""Where the bots of the house are, and how any bot file is started on the author's own machine."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import ftk_core.games
from ftk_core.kit.child import Child, child_of


class NoSuchBot(LookupError):
    """Raised for a bot that is neither a house bot nor a file; the message lists the house bots."""


def house_bots(game: str) -> dict[str, Path]:
    """Return the house bots of a game by name, in alphabetical order."""
    folder = Path(str(files(ftk_core.games) / game / "house"))
    return {path.name.removesuffix("_bot.py"): path for path in sorted(folder.glob("*_bot.py"))}


def find_bot(game: str, name: str) -> Path:
    """Return the program of a bot given by house name or by path; raises NoSuchBot."""
    house = house_bots(game)
    if name in house:
        return house[name]
    path = Path(name)
    if path.is_file():
        return path
    if (path / "bot.py").is_file():
        return path / "bot.py"
    raise NoSuchBot(f"{name!r} is neither a file nor a house bot of {game}; these are {', '.join(house)}")


def start(program: Path) -> Child:
    """Start a bot's program as a child in its own group, without any cage: for code you trust."""
    process = subprocess.Popen(
        ["node" if program.suffix == ".js" else sys.executable, str(program.resolve())],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    return child_of(process)
