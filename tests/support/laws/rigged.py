"""Chance (a match's source of random numbers) that records its outcomes, and chance with given outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ftk_core.random_streams import MatchRandomness, RandomBitStream


class WorldImpossible(Exception):
    """Raised if a match with the requested changes cannot exist."""


class RecordedDraw(RandomBitStream):
    """A random source that records its outcomes in the list `heard`."""

    __slots__ = ("_heard",)

    def __init__(self, key: bytes, heard: list[Any]) -> None:
        super().__init__(key)
        self._heard = heard

    def below(self, bound: int) -> int:
        """Draw a number and record it."""
        self._heard.append(super().below(bound))
        return int(self._heard[-1])

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Shuffle the items and record the order."""
        start = len(self._heard)
        order = super().shuffled(items)
        self._heard[start:] = [order]
        return order

    def pick(self, items: Sequence[Any]) -> Any:
        """Pick one of the items and record it."""
        start = len(self._heard)
        one = super().pick(items)
        self._heard[start:] = [one]
        return one


class RecordedChance(MatchRandomness):
    """Chance that records its outcomes by label."""

    __slots__ = ("heard",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.heard: dict[str, list[Any]] = {}

    def at(self, purpose: str, *numbers: int | str) -> RandomBitStream:
        """Return the draw of a label."""
        label = "/".join((purpose, *map(str, numbers)))
        return RecordedDraw(self.seed + b"\0" + label.encode() + b"\0", self.heard.setdefault(label, []))


class ReplayedDraw(RandomBitStream):
    """A random source with given outcomes; raises WorldImpossible for an outcome that does not fit."""

    __slots__ = ("_says",)

    def __init__(self, says: list[Any]) -> None:
        super().__init__(b"")
        self._says = iter(says)

    def _next(self) -> Any:
        said = next(self._says, None)
        if said is None:
            raise WorldImpossible("more was drawn than in the first world")
        return said

    def below(self, bound: int) -> int:
        """Return the next given number."""
        number = int(self._next())
        if number >= bound:
            raise WorldImpossible("a number that cannot be drawn")
        return number

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the next given order."""
        order = tuple(self._next())
        if sorted(order) != sorted(items):
            raise WorldImpossible("an order of other things")
        return order

    def pick(self, items: Sequence[Any]) -> Any:
        """Return the next given item."""
        one = self._next()
        if one not in items:
            raise WorldImpossible("a thing that is not there")
        return one


class ReplayedChance(MatchRandomness):
    """Chance with given outcomes for some labels, and random ones for the others."""

    __slots__ = ("free", "says")

    def __init__(self, seed: bytes, says: dict[str, list[Any]]) -> None:
        super().__init__(seed)
        self.says = says
        self.free = False
        """True once an outcome was random instead of given."""

    def at(self, purpose: str, *numbers: int | str) -> RandomBitStream:
        """Return the draw of a label."""
        label = "/".join((purpose, *map(str, numbers)))
        if label in self.says:
            return ReplayedDraw(self.says[label])
        self.free = True
        return super().at(purpose, *numbers)
