"""Registry of games: each subpackage is a game, whose module `rules` defines the `Game` object `GAME`.

New matches use `GAME`. Logs of matches under earlier rules are read and rerun with those rules: a game with earlier
versions keeps their `Game` objects in `PAST`, in a module `legacy_rules` beside `rules`.
"""

from __future__ import annotations

from functools import cache
from gettext import gettext as _
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from ftk_core import __version__
from ftk_core.game import Game
from ftk_core.log_entries import MatchOpened


class UnknownGameError(LookupError):
    """Raised for a game name or version that is not in the registry. The message lists the known names or versions."""


@cache
def list_games() -> dict[str, Game[Any, Any, Any, Any]]:
    """Return the current version of every game by name, in alphabetical order."""
    names = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    return {name: import_module(f"{__name__}.{name}.rules").GAME for name in names}


@cache
def versions(name: str) -> dict[int, Game[Any, Any, Any, Any]]:
    """Return all versions of a game's rules by version number, oldest first; raise UnknownGameError."""
    newest, past = game(name), f"{__name__}.{name}.legacy_rules"
    earlier = import_module(past).PAST if find_spec(past) else ()
    return {rules.version: rules for rules in (*earlier, newest)}


def game(name: str, version: int | None = None) -> Game[Any, Any, Any, Any]:
    """Return a game in its current version or in a given version; raise UnknownGameError.

    >>> all(game(name) is rules for name, rules in list_games().items())
    True
    >>> game("chess")
    Traceback (most recent call last):
    ...
    ftk_core.games.UnknownGameError: there is no game 'chess'; there are ...
    """
    if name not in list_games():
        raise UnknownGameError(
            _("there is no game {name}; there are {games}").format(name=repr(name), games=", ".join(list_games()))
        )
    if version is None:
        return list_games()[name]
    if version not in versions(name):
        known = ", ".join(map(str, versions(name)))
        raise UnknownGameError(
            _("there is no version {version} of {name} here; known: {known}").format(
                version=version, name=repr(name), known=known
            )
        )
    return versions(name)[version]


def game_of(opened: MatchOpened) -> Game[Any, Any, Any, Any]:
    """Return the rules with which a match was opened, to read its log; raise UnknownGameError."""
    return game(opened.game, opened.version)


@cache
def build_of(name: str) -> str:
    """Return the build id that logs record: the version of `ftk_core` and a digest of the game's source files."""
    folder = files(__name__) / name
    digest = sha256()
    for module in sorted((f for f in folder.iterdir() if f.name.endswith(".py")), key=lambda f: f.name):
        digest.update(module.name.encode() + b"\0" + module.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:16]}"
