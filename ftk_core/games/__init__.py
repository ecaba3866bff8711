"""Registry of games: every folder here whose `rules` module defines `GAME` is a game.

New matches use `GAME`. Matches played by earlier rules are read and rerun with those rules: a game whose version has
risen keeps its earlier `Game` objects in `PAST`, in a module `past` beside `rules`.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from ftk_core import __version__
from ftk_core.entries import Opened
from ftk_core.game import Game


class UnknownGame(LookupError):
    """Raised for a name or version that is not in the registry. The message lists the known ones."""


@cache
def shelf() -> dict[str, Game[Any, Any, Any, Any]]:
    """Return the current version of every game by name, in alphabetical order."""
    found = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    return {name: import_module(f"{__name__}.{name}.rules").GAME for name in found}


@cache
def versions(name: str) -> dict[int, Game[Any, Any, Any, Any]]:
    """Return all versions of a game by number, oldest first; raise UnknownGame."""
    newest, past = game(name), f"{__name__}.{name}.past"
    earlier = import_module(past).PAST if find_spec(past) else ()
    return {row.version: row for row in (*earlier, newest)}


def game(name: str, version: int | None = None) -> Game[Any, Any, Any, Any]:
    """Return the current or a given version of a game; raise UnknownGame.

    >>> all(game(name) is row for name, row in shelf().items())
    True
    >>> game("chess")
    Traceback (most recent call last):
    ...
    ftk_core.games.UnknownGame: there is no game 'chess'; there are ...
    """
    if name not in shelf():
        raise UnknownGame(f"there is no game {name!r}; there are {', '.join(shelf())}")
    if version is None:
        return shelf()[name]
    if version not in versions(name):
        known = ", ".join(map(str, versions(name)))
        raise UnknownGame(f"there is no version {version} of {name!r} here; known: {known}")
    return versions(name)[version]


def game_of(opened: Opened) -> Game[Any, Any, Any, Any]:
    """Return the rules that a match was opened with, needed to read its log; raise UnknownGame."""
    return game(opened.game, opened.version)


@cache
def build_of(name: str) -> str:
    """Return the build recorded in logs: the core's version and a digest of the game's modules."""
    folder = files(__name__) / name
    digest = sha256()
    for module in sorted((f for f in folder.iterdir() if f.name.endswith(".py")), key=lambda f: f.name):
        digest.update(module.name.encode() + b"\0" + module.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:16]}"
