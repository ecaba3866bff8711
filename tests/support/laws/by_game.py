"""Access to the functions in `tests/support/games/<game>/laws.py`, which the property tests of all games need."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ftk_core.facts import Viewer
from ftk_core.games import game

if TYPE_CHECKING:
    from tests.support.laws.worlds import World, WorldChanges


def _laws_of(name: str) -> ModuleType:
    return import_module(f"tests.support.games.{name}.laws")


def census_of(name: str) -> Callable[[Any], list[str]]:
    """Return the game's function that lists all components of a state."""
    listed: Callable[[Any], list[str]] = _laws_of(name).census
    return listed


def other_world(name: str) -> Callable[[World, Viewer, Random], WorldChanges]:
    """Return the game's function that changes a match so that a viewer cannot notice it, or raises WorldImpossible."""
    made: Callable[[World, Viewer, Random], WorldChanges] = _laws_of(name).other_world
    return made


def options_for(name: str, seats: int, number: int) -> Any:
    """Return the options for match `number` of a game: the defaults, or in turn those of the game's `options`."""
    named = getattr(_laws_of(name), "options", None)
    choices = named(seats) if named else [game(name).options()]
    return choices[number % len(choices)]
