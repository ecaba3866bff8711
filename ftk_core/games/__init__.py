"""Registry of games, built-in or from plug-ins, in all versions of their rules.

In each subpackage, the module `rules` defines the current game as `GAME`. The module `legacy_rules` may list earlier
versions in `PAST`.
"""
# Logs of old matches are read and rerun with the version that they name. Plug-ins use the entry points ``ftk.games``.

from __future__ import annotations

import re
from functools import cache
from gettext import gettext as _
from hashlib import sha256
from importlib import import_module
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from ftk_core import __version__
from ftk_core.game import Game
from ftk_core.log_entries import MatchOpened
from ftk_core.plugins import MissingPluginError, PluginError, list_plugins, load_plugins, name_plugin, plugin_of_build
from ftk_core.plugins.plugin_files import check_is_package, digest_plugin, folder_of, package_of

PLUGIN_GAME_NAME = re.compile(r"[a-z0-9_]{1,40}")
"""Possible names of plug-ins' games, which are parts of addresses and are stored in database columns."""


class UnknownGameError(MissingPluginError):
    """Raised for an unknown game, or for an unknown version of its rules."""


@cache
def list_games() -> dict[str, Game[Any, Any, Any, Any]]:
    """Return the current version of every game by name, in alphabetical order.

    Raises PluginError if an installed plug-in with a game cannot be used.
    """
    built_in = {name: import_module(f"{__name__}.{name}.rules").GAME for name in list_built_in_games()}
    listed = load_plugins("ftk.games", Game, built_in, attrgetter("name"))
    for name, plugin in list_plugins("ftk.games").items():
        _check_plugin_game(plugin, listed[name])
    return dict(sorted(listed.items()))


def _check_plugin_game(plugin: EntryPoint, rules: Game[Any, Any, Any, Any]) -> None:
    """Raise PluginError for a game that an arena could not offer."""
    if not PLUGIN_GAME_NAME.fullmatch(rules.name):
        raise PluginError(
            _("the plug-in {plugin} has a game {name}; a game's name has 1 to 40 of a-z, 0-9 and _").format(
                plugin=name_plugin(plugin), name=repr(rules.name)
            )
        )
    if min(rules.seats, default=0) < 2:
        raise PluginError(
            _("the plug-in {plugin} has a game {name} for fewer than two players; a match needs two or more").format(
                plugin=name_plugin(plugin), name=repr(rules.name)
            )
        )
    check_is_package(plugin)


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
    """Return all versions of a game by version number, oldest first.

    Raises UnknownGameError if the game is unknown.
    """
    newest, past = game(name), f"{game_package(name)}.legacy_rules"
    earlier = import_module(past).PAST if find_spec(past) else ()
    return {rules.version: rules for rules in (*earlier, newest) if rules.name == name}


def game(name: str, version: int | None = None) -> Game[Any, Any, Any, Any]:
    """Return a game in its current version or in the given version.

    Raises UnknownGameError if the game or the version is unknown.

    >>> all(game(name) is rules for name, rules in list_games().items())
    True
    >>> game("chess")
    Traceback (most recent call last):
    ...
    ftk_core.games.UnknownGameError: there is no game 'chess'; known games: ...
    """
    if name not in list_games():
        raise UnknownGameError(
            _("there is no game {name}; known games: {games}").format(name=repr(name), games=", ".join(list_games()))
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
    """Return the title of a game, or its name if the game is not installed.

    >>> title_of("pig"), title_of("chess")
    ('Pig', 'chess')
    """
    return list_games()[name].title if name in list_games() else name


def game_of(opened: MatchOpened) -> Game[Any, Any, Any, Any]:
    """Return the game in the version that a match's log names.

    Raises UnknownGameError if the game or that version is not installed.
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
    """Return a game's build id, which identifies the code of its rules.

    The id consists of the version of `ftk_core`, a ``+``, and a digest of the game's modules.
    """
    # The digest leaves out subpackages. The build id of a plug-in's game names the plug-in and the digest of its wheel.
    if plugin := list_plugins("ftk.games").get(name):
        return f"{__version__}+{name_plugin(plugin)}+{digest_plugin(plugin)}"
    digest = sha256()
    for module in sorted(game_folder(name).glob("*.py"), key=lambda f: f.name):
        digest.update(module.name.encode() + b"\0" + module.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:16]}"
