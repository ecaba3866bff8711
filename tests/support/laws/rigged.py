"""Chance that is written down, and chance that says what it is told to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ftk_core.rng import Chance, Draw


class Impossible(Exception):
    """Raised where there is no such world."""


class HeardDraw(Draw):
    """A draw whose outcomes are written down."""

    __slots__ = ("_heard",)

    def __init__(self, key: bytes, heard: list[Any]) -> None:
        super().__init__(key)
        self._heard = heard

    def below(self, bound: int) -> int:
        """Return a number and note it."""
        self._heard.append(super().below(bound))
        return int(self._heard[-1])

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the items in some order and note that."""
        start = len(self._heard)
        order = super().shuffled(items)
        self._heard[start:] = [order]
        return order

    def pick(self, items: Sequence[Any]) -> Any:
        """Return one of the items and note which."""
        start = len(self._heard)
        one = super().pick(items)
        self._heard[start:] = [one]
        return one


class HeardChance(Chance):
    """Chance whose outcomes are written down by label."""

    __slots__ = ("heard",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.heard: dict[str, list[Any]] = {}

    def at(self, purpose: str, *numbers: int | str) -> Draw:
        """Return the draw of a label."""
        label = "/".join((purpose, *map(str, numbers)))
        return HeardDraw(self.seed + b"\0" + label.encode() + b"\0", self.heard.setdefault(label, []))


class SetDraw(Draw):
    """A draw that says what it is told to say."""

    __slots__ = ("_says",)

    def __init__(self, says: list[Any]) -> None:
        super().__init__(b"")
        self._says = iter(says)

    def _next(self) -> Any:
        said = next(self._says, None)
        if said is None:
            raise Impossible("more was drawn than in the first world")
        return said

    def below(self, bound: int) -> int:
        """Return the next number."""
        number = int(self._next())
        if number >= bound:
            raise Impossible("a number that cannot be drawn")
        return number

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the next order."""
        order = tuple(self._next())
        if sorted(order) != sorted(items):
            raise Impossible("an order of other things")
        return order

    def pick(self, items: Sequence[Any]) -> Any:
        """Return the next thing."""
        one = self._next()
        if one not in items:
            raise Impossible("a thing that is not there")
        return one


class SetChance(Chance):
    """Chance that says what it is told to, and what it likes where it is told nothing."""

    __slots__ = ("free", "says")

    def __init__(self, seed: bytes, says: dict[str, list[Any]]) -> None:
        super().__init__(seed)
        self.says = says
        self.free = False
        """Whether it has said what it liked."""

    def at(self, purpose: str, *numbers: int | str) -> Draw:
        """Return the draw of a label."""
        label = "/".join((purpose, *map(str, numbers)))
        if label in self.says:
            return SetDraw(self.says[label])
        self.free = True
        return super().at(purpose, *numbers)
