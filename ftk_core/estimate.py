"""What a table is worth to its seats: the share of opponents left behind, by playing on to the end many times.

All sums are integers, and all luck follows from a name of the table, so that anybody finds the same digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import Protocol

import msgspec

from ftk_core.bare import Choose
from ftk_core.fold import AnyGame
from ftk_core.rng import Chance, Draw, Label, seed_of

FIRST = 16
"""After so many playouts it is asked for the first time whether they are enough, and after twice as many again."""
Z = Fraction(196, 100)
"""Of a normal distribution, 95% lies within so many standard deviations."""
FINE = 10_000
"""Widths are told in parts of so many."""


class Policy(Protocol):
    """How seats play in a playout."""

    @property
    def name(self) -> str:
        """What a review calls it."""
        ...

    def start(self, game: AnyGame, seats: int, draw: Draw, /) -> Choose:
        """Return who chooses for all seats of one playout, with luck from a draw."""
        ...


class QuickPolicy:
    """Plays as a game's `quick` does; anything where it has none."""

    name = "quick"

    def start(self, game: AnyGame, _seats: int, draw: Draw, /) -> Choose:
        """Choose for all seats."""
        quick = game.quick
        if quick is None:
            return AnyPolicy().start(game, _seats, draw)
        return lambda state, seat, menu: quick(state, seat, menu, draw)


class AnyPolicy:
    """Chooses any item with the same chance."""

    name = "anything"

    def start(self, _game: AnyGame, _seats: int, draw: Draw, /) -> Choose:
        """Choose for all seats."""
        return lambda _state, _seat, menu: draw.below(len(menu))


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What some playouts came to, for all seats at once."""

    playouts: int
    """0 where all is over: then it is what each seat has."""
    left_behind: tuple[int, ...]
    """By seat: the opponents left behind in all of them, twice; one who shares the place counts half."""
    squares: tuple[int, ...]
    """By seat: the same squared, summed."""
    places: tuple[tuple[int, ...], ...]
    """By seat: how often it came to each place, from the first."""

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """By seat, the expected share of opponents left behind, 0 to 1."""
        whole = 2 * (len(self.places) - 1) * max(1, self.playouts)
        return tuple(Fraction(left, whole) for left in self.left_behind)

    @property
    def margins(self) -> tuple[Fraction, ...]:
        """By seat, half the width of its 95% interval (see `margin`)."""
        if not self.playouts:
            return (Fraction(0),) * len(self.places)
        most = 2 * (len(self.places) - 1)
        rows = zip(self.left_behind, self.squares, strict=True)
        return tuple(margin(self.playouts, total, squares, most) for total, squares in rows)


def margin(number: int, total: int, squares: int, most: int) -> Fraction:
    """Return half the width of the 95% interval of a mean of numbers from 0 to `most`, as a part of `most`.

    Two of each extreme are added, as Agresti and Coull (1998) do, so that a few equal ones are not taken for certain.
    It is rounded up to the next of `FINE` parts: a root that is the same on any machine.
    """
    n, total, squares = number + 4, total + 2 * most, squares + 2 * most * most
    variance = Fraction(squares, n) - Fraction(total, n) ** 2
    wanted = Z * Z * variance * FINE * FINE / (n * most * most)
    return Fraction(isqrt(int(wanted)) + 1, FINE)


def left_behind(places: Sequence[int]) -> tuple[int, ...]:
    """Return by seat how many opponents it left behind, twice, so that half of one who shares the place counts.

    >>> left_behind((1, 2, 2))
    (4, 1, 1)
    """
    return tuple(sum((place < other) * 2 + (place == other) for other in places) - 1 for place in places)


def shares_of(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return by seat the share of its opponents that it left behind, ties half."""
    return tuple(Fraction(left, 2 * (len(places) - 1)) for left in left_behind(places))


def playouts_of(name: Iterable[Label], most: int) -> Iterator[tuple[Chance, Draw]]:
    """Yield the luck of so many playouts of what has this name: the match's, and the policy's."""
    for number in range(most):
        source = Chance(seed_of(*name, number))
        yield source, source.at("policy")


def estimated(
    play: Callable[[Chance, Draw], Sequence[int]], name: Sequence[Label], most: int, width: Fraction | None = None
) -> Estimate:
    """Play on until every seat's margin is `width` or less, at most so often; `play` returns the places by seat."""
    rows, look = list[tuple[int, ...]](), FIRST
    for chance, draw in playouts_of(name, most):
        rows.append(tuple(play(chance, draw)))
        if width is not None and len(rows) == look:
            look *= 2
            if max(summed(rows).margins) <= width:
                break
    return summed(rows)


def summed(rows: Sequence[Sequence[int]]) -> Estimate:
    """Return what playouts came to, of their places by seat."""
    seats = range(len(rows[0]))
    lefts = [left_behind(places) for places in rows]
    return Estimate(
        playouts=len(rows),
        left_behind=tuple(sum(left[seat] for left in lefts) for seat in seats),
        squares=tuple(sum(left[seat] ** 2 for left in lefts) for seat in seats),
        places=tuple(tuple(sum(row[seat] == 1 + place for row in rows) for place in seats) for seat in seats),
    )


def settled(places: Sequence[int]) -> Estimate:
    """Return what a table is worth at which all is over."""
    return msgspec.structs.replace(summed([places]), playouts=0)
