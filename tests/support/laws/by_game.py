"""What only a game's own support can tell the laws: `tests/support/games/<game>/laws.py`, found by being there."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ftk_core.facts import Viewer
from ftk_core.games import game

if TYPE_CHECKING:
    from tests.support.laws.worlds import Other, World


def _laws_of(name: str) -> ModuleType:
    return import_module(f"tests.support.games.{name}.laws")


def census_of(name: str) -> Callable[[Any], list[str]]:
    """Return what lists everything that must always be somewhere in a state."""
    listed: Callable[[Any], list[str]] = _laws_of(name).census
    return listed


def other_world(name: str) -> Callable[[World, Viewer, Random], Other]:
    """Return what makes another world in which only such things differ as a viewer may not know."""
    made: Callable[[World, Viewer, Random], Other] = _laws_of(name).other_world
    return made


def options_for(name: str, seats: int, number: int) -> Any:
    """Return the options of a game's match number so-and-so: the rule book's, and others that its support names."""
    named = getattr(_laws_of(name), "options", None)
    choices = named(seats) if named else [game(name).options()]
    return choices[number % len(choices)]
