"""Other worlds in which only such things differ as a viewer may not know: what several games make them of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from ftk_core.facts import Action, Viewer, secrets_of, tell
from tests.support.laws.rigged import Impossible
from tests.support.laws.worlds import Other, Spot, World


def names_in(value: Any) -> set[str]:
    """Return every string inside a value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {name for inner in value.values() for name in names_in(inner)}
    if isinstance(value, list | tuple):
        return {name for inner in value for name in names_in(inner)}
    return set()


def unknown(world: World, viewer: Viewer, until: int) -> list[str]:
    """Return the names that are secret after so many facts, and that the viewer has not been told by then."""
    hidden = set[str]()
    openly = names_in(msgspec.to_builtins(world.game.view(world.states[0], viewer)))
    for fact in world.facts[:until]:
        shown = tell(fact, viewer)
        blanked = [name for name in secrets_of(type(fact)) if getattr(shown, name) is None]
        hidden |= {name for field in blanked for name in names_in(msgspec.to_builtins(getattr(fact, field)))}
        openly |= names_in(msgspec.to_builtins(shown))
    return sorted(hidden - openly)


class Exchange:
    """Two names that stand for each other."""

    def __init__(self, one: str, other: str) -> None:
        self._pair = {one: other, other: one}
        self._pattern = re.compile(f'"({one}|{other})"')

    def of(self, value: Any) -> Any:
        """Return a name, or some, with the two exchanged."""
        if isinstance(value, tuple):
            return tuple(map(self.of, value))
        return self._pair.get(value, value) if isinstance(value, str) else value

    def in_text(self, text: str) -> str:
        """Return JSON with the two exchanged."""
        return self._pattern.sub(lambda found: f'"{self._pair[found[1]]}"', text)


def dice_to_come(world: World, _viewer: Viewer, draw: Random) -> Other:
    """Let what is drawn later be drawn otherwise: nothing before it may know."""
    labels = list(world.heard)
    kept = int(len(labels) * draw.random() ** 3)
    says = {label: world.heard[label] for label in labels[:kept]}

    def choose(_spot: Spot, was: Action | None, menu: Sequence[Action]) -> Action:
        if was is None or was not in menu:
            raise Impossible(f"{was} is nobody's choice there")
        return was

    return Other(says, choose, lambda *_facts: False, bytes(draw.randrange(256) for _ in range(32)))
