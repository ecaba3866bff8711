"""Registry of games: each subpackage is a game, whose module `rules` defines the `Game` object `GAME`.

Plug-ins bring further games by entry points of the group ``ftk.games`` (see `ftk_core.plugins`).

New matches use `GAME`. Logs of matches under an earlier version of the rules are read and rerun with that version. The
`Game` objects of the earlier versions are in the tuple `PAST` of the module `legacy_rules` beside `rules`.
"""

from __future__ import annotations

from functools import cache
from gettext import gettext as _
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from ftk_core import __version__
from ftk_core.game import Game
from ftk_core.log_entries import MatchOpened
from ftk_core.plugins import MissingPluginError, list_plugins, load_plugins, name_plugin, plugin_of_build
from ftk_core.plugins.plugin_files import digest_plugin, folder_of, package_of


class UnknownGameError(MissingPluginError):
    """Raised for a game name or version that is not in the registry. The message lists the known names or versions."""


@cache
def list_games() -> dict[str, Game[Any, Any, Any, Any]]:
    """Return a dict of all games, name -> game in its current version, sorted by name.

    Raise PluginError if an installed plug-in with a game cannot be used.
    """
    built_in = {name: import_module(f"{__name__}.{name}.rules").GAME for name in list_built_in_games()}
    return dict(sorted(load_plugins("ftk.games", Game, built_in, attrgetter("name")).items()))


def list_built_in_games() -> list[str]:
    """Return the names of the games in this package, in alphabetical order."""
    return sorted(module.name for module in iter_modules(__path__) if module.ispkg)


def game_package(name: str) -> str:
    """Return the dotted name of the Python package that contains a registered game's rules, bots and texts."""
    plugin = list_plugins("ftk.games").get(name)
    return package_of(plugin) if plugin else f"{__name__}.{name}"


def game_folder(name: str) -> Path:
    """Return the folder of a registered game's package."""
    return folder_of(game_package(name))


@cache
def versions(name: str) -> dict[int, Game[Any, Any, Any, Any]]:
    """Return all versions of a game as a dict, version number -> `Game` with those rules, oldest first.

    Raise UnknownGameError if the game is unknown.
    """
    newest, past = game(name), f"{game_package(name)}.legacy_rules"
    earlier = import_module(past).PAST if find_spec(past) else ()
    return {rules.version: rules for rules in (*earlier, newest) if rules.name == name}


def game(name: str, version: int | None = None) -> Game[Any, Any, Any, Any]:
    """Return a game in its current version or in a given version; raise UnknownGameError if either is unknown.

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


def title_of(name: str) -> str:
    """Return the title of a game, or its name if the plug-in with the game is not installed here.

    >>> title_of("pig"), title_of("chess")
    ('Pig', 'chess')
    """
    return list_games()[name].title if name in list_games() else name


def game_of(opened: MatchOpened) -> Game[Any, Any, Any, Any]:
    """Return the game in the version that a match's log states.

    Raise UnknownGameError if the game, or this version of it, is not installed here.
    """
    if opened.game not in list_games() and (plugin := plugin_of_build(opened.build)):
        raise UnknownGameError(
            _("the game {name} comes from the plug-in {plugin}, which is not installed here; install it first").format(
                name=repr(opened.game), plugin=plugin
            )
        )
    return game(opened.game, opened.version)


@cache
def build_of(name: str) -> str:
    """Return the build id of a game, for logs: the version of `ftk_core` and a digest of the game's modules.

    The digest covers the modules directly in the game's package, but not those in its subpackages. The build id of a
    plug-in's game names the plug-in, its version, and the digest of its wheel.
    """
    if plugin := list_plugins("ftk.games").get(name):
        return f"{__version__}+{name_plugin(plugin)}+{digest_plugin(plugin)}"
    digest = sha256()
    for module in sorted(game_folder(name).glob("*.py"), key=lambda f: f.name):
        digest.update(module.name.encode() + b"\0" + module.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:16]}"
