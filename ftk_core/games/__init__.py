"""The shelf: every folder here that offers `GAME` in its `rules` module is a game; nothing else lists them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from typing import Any

from ftk_core import __version__
from ftk_core.game import Game


class UnknownGame(LookupError):
    """Raised for a name that is not on the shelf; the message lists those that are."""


@cache
def shelf() -> dict[str, Game[Any, Any, Any, Any]]:
    """Return every game by its name, in alphabetical order."""
    found = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    return {name: import_module(f"{__name__}.{name}.rules").GAME for name in found}


def game(name: str) -> Game[Any, Any, Any, Any]:
    """Return the game of that name; raises UnknownGame."""
    try:
        return shelf()[name]
    except KeyError:
        raise UnknownGame(f"there is no game {name!r}; there are {', '.join(shelf())}") from None


@cache
def build_of(name: str) -> str:
    """Return what a log says of the code that played it: the core's version and a digest of the game's modules."""
    folder = files(__name__) / name
    digest = sha256()
    for module in sorted((f for f in folder.iterdir() if f.name.endswith(".py")), key=lambda f: f.name):
        digest.update(module.name.encode() + b"\0" + module.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:16]}"
