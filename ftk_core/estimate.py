"""Monte Carlo estimates of a position: the expected share of opponents each seat leaves behind.

Each estimate plays the position to its end many times. All sums are integers, and all randomness is derived from a name
of the position, so that every machine computes the same digits.
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
"""Number of playouts before the first check of the precision. The number doubles before each further check."""
Z = Fraction(196, 100)
"""Number of standard deviations around the mean that hold 95% of a normal distribution."""
FINE = 10_000
"""Margins are rounded up to multiples of 1/`FINE`."""


class Policy(Protocol):
    """Strategy that plays all seats in a playout."""

    @property
    def name(self) -> str:
        """Name of the policy in a review."""
        ...

    def start(self, game: AnyGame, seats: int, draw: Draw, /) -> Choose:
        """Return a function that chooses for all seats of one playout, with randomness from a draw."""
        ...


class QuickPolicy:
    """Policy that uses the `quick` function of the game, or random choices if the game has none."""

    name = "quick"

    def start(self, game: AnyGame, _seats: int, draw: Draw, /) -> Choose:
        """Return the game's quick chooser, or a uniform one."""
        quick = game.quick
        if quick is None:
            return AnyPolicy().start(game, _seats, draw)
        return lambda state, seat, menu: quick(state, seat, menu, draw)


class AnyPolicy:
    """Policy that chooses uniformly at random."""

    name = "anything"

    def start(self, _game: AnyGame, _seats: int, draw: Draw, /) -> Choose:
        """Return a uniform chooser."""
        return lambda _state, _seat, menu: draw.below(len(menu))


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """Aggregated results of playouts, for all seats."""

    playouts: int
    """Number of playouts. 0 if the match is over: the values are then the actual result."""
    left_behind: tuple[int, ...]
    """By seat: twice the number of opponents left behind, summed over all playouts. Sharing a place counts half."""
    squares: tuple[int, ...]
    """By seat: sum of the squares of these numbers."""
    places: tuple[tuple[int, ...], ...]
    """By seat: how often it finished in each place, first place first."""

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """Expected share of opponents left behind, by seat, from 0 to 1."""
        whole = 2 * (len(self.places) - 1) * max(1, self.playouts)
        return tuple(Fraction(left, whole) for left in self.left_behind)

    @property
    def margins(self) -> tuple[Fraction, ...]:
        """Half-width of the 95% interval of each share, by seat (see `margin`)."""
        if not self.playouts:
            return (Fraction(0),) * len(self.places)
        most = 2 * (len(self.places) - 1)
        rows = zip(self.left_behind, self.squares, strict=True)
        return tuple(margin(self.playouts, total, squares, most) for total, squares in rows)


def margin(number: int, total: int, squares: int, most: int) -> Fraction:
    """Return the half-width of the 95% interval of a mean of numbers from 0 to `most`, as a fraction of `most`.

    Two observations of each extreme are added, as in Agresti and Coull (1998), so that a few equal results do not count
    as certain. The value is rounded up to a multiple of 1/`FINE`, so that the square root is the same on any machine.
    """
    n, total, squares = number + 4, total + 2 * most, squares + 2 * most * most
    variance = Fraction(squares, n) - Fraction(total, n) ** 2
    wanted = Z * Z * variance * FINE * FINE / (n * most * most)
    return Fraction(isqrt(int(wanted)) + 1, FINE)


def left_behind(places: Sequence[int]) -> tuple[int, ...]:
    """Return twice the number of opponents that each seat left behind. Sharing a place counts half.

    >>> left_behind((1, 2, 2))
    (4, 1, 1)
    """
    return tuple(sum((place < other) * 2 + (place == other) for other in places) - 1 for place in places)


def shares_of(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the share of opponents that each seat left behind; ties count half."""
    return tuple(Fraction(left, 2 * (len(places) - 1)) for left in left_behind(places))


def playouts_of(name: Iterable[Label], most: int) -> Iterator[tuple[Chance, Draw]]:
    """Yield the randomness of `most` playouts of the named position: one for the match, one for the policy."""
    for number in range(most):
        source = Chance(seed_of(*name, number))
        yield source, source.at("policy")


def estimated(
    play: Callable[[Chance, Draw], Sequence[int]], name: Sequence[Label], most: int, width: Fraction | None = None
) -> Estimate:
    """Run playouts until every seat's margin is at most `width`, or `most` times; `play` returns places by seat."""
    rows, look = list[tuple[int, ...]](), FIRST
    for chance, draw in playouts_of(name, most):
        rows.append(tuple(play(chance, draw)))
        if width is not None and len(rows) == look:
            look *= 2
            if max(summed(rows).margins) <= width:
                break
    return summed(rows)


def summed(rows: Sequence[Sequence[int]]) -> Estimate:
    """Aggregate playouts, each given as places by seat."""
    seats = range(len(rows[0]))
    lefts = [left_behind(places) for places in rows]
    return Estimate(
        playouts=len(rows),
        left_behind=tuple(sum(left[seat] for left in lefts) for seat in seats),
        squares=tuple(sum(left[seat] ** 2 for left in lefts) for seat in seats),
        places=tuple(tuple(sum(row[seat] == 1 + place for row in rows) for place in seats) for seat in seats),
    )


def settled(places: Sequence[int]) -> Estimate:
    """Return the estimate of a match that is over."""
    return msgspec.structs.replace(summed([places]), playouts=0)
