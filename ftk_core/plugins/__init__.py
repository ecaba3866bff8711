"""Games, tournament formats, tie-breaks and languages from other installed packages.

The `pyproject.toml` of a plug-in names them as entry points:

    [project.entry-points."ftk.games"]
    hex = "ftk_hex.rules:GAME"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from gettext import gettext as _
from importlib.metadata import EntryPoint, entry_points
from typing import Literal, TypeVar

T = TypeVar("T")
Group = Literal["ftk.games", "ftk.formats", "ftk.tiebreaks", "ftk.languages", "ftk.bot_modules"]
"""Name of a group of entry points."""
INTERFACE_VERSIONS: Mapping[str, int] = {"Game": 1, "Scene": 1, "LeagueFormat": 1, "TieBreak": 1, "Language": 1}
"""Version of each interface for plug-ins. It rises with each change that breaks correct plug-ins."""
MAX_NAME_CHARACTERS = 30
"""Maximum length of a plug-in's name in a build id, which has to fit into its database column."""
_BUILD = re.compile(r"[^+]*\+(?P<name>.+)-(?P<version>[^-]+)\+[0-9a-f]{16}")


class MissingPluginError(LookupError):
    """Base class of errors for a game, format or tie-break that is not installed."""


class PluginError(RuntimeError):
    """Raised for a plug-in that cannot be used. The message names the plug-in and the remedy."""


@cache
def list_plugins(group: Group) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group by name. Raises PluginError if two have the same name."""
    listed: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        if entry.name in listed:
            raise PluginError(
                _("{name} comes from two plug-ins, {one} and {other}; uninstall one of them").format(
                    name=repr(entry.name), one=name_plugin(listed[entry.name]), other=name_plugin(entry)
                )
            )
        listed[entry.name] = entry
    return listed


def load_plugins(
    group: Group, kind: type[T], built_in: Mapping[str, T], own_name: Callable[[T], str] | None = None
) -> dict[str, T]:
    """Return the objects of one kind, such as games, by name: the built-in ones and those of the plug-ins.

    `own_name` returns the name that is stored in an object. Raises PluginError if a plug-in's object cannot be loaded,
    has the name of a built-in object, or stores another name than its entry point.
    """
    loaded = dict(built_in)
    for name, entry in list_plugins(group).items():
        if name in built_in:
            raise PluginError(
                _("the plug-in {plugin} brings {name}, which is built in; give it another name").format(
                    plugin=name_plugin(entry), name=repr(name)
                )
            )
        loaded[name] = load_plugin(entry, kind)
        if own_name and own_name(loaded[name]) != name:
            raise PluginError(
                _("the plug-in {plugin} registers {name} under the name {other}; use one name for both").format(
                    plugin=name_plugin(entry), name=repr(own_name(loaded[name])), other=repr(name)
                )
            )
    return loaded


def load_plugin(entry: EntryPoint, kind: type[T]) -> T:
    """Import the object of an entry point. Raises PluginError if this fails or it has the wrong type."""
    try:
        loaded = entry.load()
    except Exception as error:  # whatever the code of another package does
        raise PluginError(
            _("the plug-in {plugin} cannot be loaded: {error}; repair or uninstall it").format(
                plugin=name_plugin(entry), error=error
            )
        ) from error
    if not isinstance(loaded, kind):
        raise PluginError(
            _("the plug-in {plugin} names {value} as {name}, which has to be a {kind}").format(
                plugin=name_plugin(entry), value=entry.value, name=repr(entry.name), kind=kind.__name__
            )
        )
    return loaded


def name_plugin(entry: EntryPoint) -> str:
    """Return the name and version of the package that an entry point belongs to, such as ``ftk_hex-1.0``."""
    if entry.dist is None:
        return entry.value
    name = re.sub(r"[-_.]+", "_", entry.dist.name)[:MAX_NAME_CHARACTERS]
    return f"{name}-{re.sub('[^0-9A-Za-z.]', '.', entry.dist.version)[:12]}"


def plugin_of_build(build: str) -> str | None:
    """Return the plug-in named in a software build identifier; None if there is none.

    >>> plugin_of_build("0.1.0+ftk_hex-1.0+0123456789abcdef")
    'ftk_hex 1.0'
    """
    named = _BUILD.fullmatch(build)
    return f"{named['name']} {named['version']}" if named else None
