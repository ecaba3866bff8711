"""Functions that several games use to change a match only in what a viewer does not know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from ftk_core.facts import Action, Viewer, redact, secret_fields_of
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.worlds import Spot, World, WorldChanges


def list_strings(value: Any) -> set[str]:
    """Return every string inside a value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {name for inner in value.values() for name in list_strings(inner)}
    if isinstance(value, list | tuple):
        return {name for inner in value for name in list_strings(inner)}
    return set()


def list_unknown_names(world: World, viewer: Viewer, until: int) -> list[str]:
    """Return the names that are secret after this many facts and unknown to the viewer."""
    hidden = set[str]()
    openly = list_strings(msgspec.to_builtins(world.game.view(world.states[0], viewer)))
    for fact in world.facts[:until]:
        shown = redact(fact, viewer)
        blanked = [name for name in secret_fields_of(type(fact)) if getattr(shown, name) is None]
        hidden |= {name for field in blanked for name in list_strings(msgspec.to_builtins(getattr(fact, field)))}
        openly |= list_strings(msgspec.to_builtins(shown))
    return sorted(hidden - openly)


class Exchange:
    """An exchange of two names, such as those of two cards."""

    def __init__(self, one: str, other: str) -> None:
        self._pair = {one: other, other: one}
        self._pattern = re.compile(f'"({one}|{other})"')

    def of(self, value: Any) -> Any:
        """Return a name, or a collection of names, with the two exchanged."""
        if isinstance(value, tuple):
            return tuple(map(self.of, value))
        return self._pair.get(value, value) if isinstance(value, str) else value

    def in_text(self, text: str) -> str:
        """Return JSON with the two names exchanged."""
        return self._pattern.sub(lambda found: f'"{self._pair[found[1]]}"', text)


def redraw_later_dice(world: World, _viewer: Viewer, draw: Random) -> WorldChanges:
    """Return changes that keep a random number of the first draws and draw all later dice again.

    For games in which earlier events reveal nothing about later dice.
    """
    labels = list(world.heard)
    kept = int(len(labels) * draw.random() ** 3)
    says = {label: world.heard[label] for label in labels[:kept]}

    def choose(_spot: Spot, was: Action | None, menu: Sequence[Action]) -> Action:
        if was is None or was not in menu:
            raise WorldImpossible(f"{was} is nobody's choice there")
        return was

    return WorldChanges(says, choose, lambda *_facts: False, bytes(draw.randrange(256) for _ in range(32)))
