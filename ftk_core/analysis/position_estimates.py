"""Monte Carlo estimates of each player's expected result from a position.

A result is the share of opponents that the player finishes ahead of.
"""
# All sums are integers, and random numbers follow from a name, so that every machine computes the same digits.

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt

import msgspec

from ftk_core.analysis.playouts import PlayoutPolicy, PlayoutPosition
from ftk_core.native.native_game_rules import PlayoutStartingPosition
from ftk_core.random_streams import Label

FIRST_CHECK_PLAYOUTS = 16
"""Number of playouts before the first check of an estimate's precision; doubled before each further check."""
Z_95_PERCENT = Fraction(196, 100)
"""Number of standard deviations around the mean that hold 95% of a normal distribution."""
MARGIN_STEPS = 10_000
"""Margins (half-widths of 95% intervals) are rounded up to multiples of 1/`MARGIN_STEPS`."""


class PositionEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """Results of many playouts of one position, summed for each seat."""

    playouts: int
    """Number of playouts; 0 for the final position, of which the other fields hold the actual result."""
    left_behind: tuple[int, ...]
    """By seat: points in all playouts. A playout gives 2 per opponent that finished behind the seat, 1 per tie."""
    squares: tuple[int, ...]
    """By seat: sum of the squares of the points in each playout (see `left_behind`)."""
    places: tuple[tuple[int, ...], ...]
    """By seat: number of playouts in which it finished in each place, first place first."""

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """Expected share of opponents that each seat finishes ahead of, from 0 to 1."""
        return _compute_shares(self.left_behind, max(1, self.playouts))

    @property
    def margins(self) -> tuple[Fraction, ...]:
        """Half-width of the 95% interval of each seat's expected share of opponents (see `shares`)."""
        if not self.playouts:
            return (Fraction(0),) * len(self.places)
        return _compute_margins(self.left_behind, self.squares, self.playouts)


# A review needs the shares and margins of each position several times.
@lru_cache(1 << 10)
def _compute_shares(left_behind: tuple[int, ...], playouts: int) -> tuple[Fraction, ...]:
    denominator = 2 * (len(left_behind) - 1) * playouts
    return tuple(Fraction(halves, denominator) for halves in left_behind)


@lru_cache(1 << 10)
def _compute_margins(left_behind: tuple[int, ...], squares: tuple[int, ...], playouts: int) -> tuple[Fraction, ...]:
    maximum = 2 * (len(left_behind) - 1)
    return tuple(margin(playouts, total, square, maximum) for total, square in zip(left_behind, squares, strict=True))


def margin(number: int, total: int, squares: int, most: int) -> Fraction:
    """Return the half-width of the 95% interval of a mean, divided by the largest possible observation `most`.

    `number` is the number of observations, `total` their sum, and `squares` the sum of their squares. Method: Agresti
    and Coull (1998).
    """
    # Two observations of 0 and two of `most` are added. Otherwise the mean of a few equal results would seem certain.
    # The result is rounded up to a multiple of 1/`MARGIN_STEPS`, so that every machine computes the same digits.
    n, total, squares = number + 4, total + 2 * most, squares + 2 * most * most
    variance = squares * n - total * total  # times n * n
    z, one = Z_95_PERCENT.as_integer_ratio()
    return round_up_root(z * z * variance, one * one * n * n * n * most * most)


def round_up_root(numerator: int, denominator: int) -> Fraction:
    """Return the square root of `numerator` / `denominator`, rounded up to a multiple of 1/`MARGIN_STEPS`."""
    return Fraction(isqrt(numerator * MARGIN_STEPS * MARGIN_STEPS // denominator) + 1, MARGIN_STEPS)


@lru_cache(1 << 12)
def left_behind(places: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of each player: 2 per opponent beaten, 1 per opponent in the same place.

    >>> left_behind((1, 2, 2))
    (4, 1, 1)
    """
    return tuple(sum((place < other) * 2 + (place == other) for other in places) - 1 for place in places)


def shares_of(places: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the share of opponents that each seat finished ahead of. A shared place counts half."""
    return tuple(Fraction(left, 2 * (len(places) - 1)) for left in left_behind(places))


def run_playouts(
    position: PlayoutStartingPosition,
    policy: PlayoutPolicy,
    name: Sequence[Label],
    most: int,
    width: Fraction | None = None,
) -> tuple[PositionEstimate, list[tuple[int, ...]]]:
    """Simulate the rest of a match up to `most` times; return the estimate and all final places.

    Stop early once every 95% interval's half-width is at most `width`.
    """
    results, playable = list[tuple[int, ...]](), PlayoutPosition(position, policy, name)
    while len(results) < most:
        count = most if width is None else min(most, max(FIRST_CHECK_PLAYOUTS, 2 * len(results)))
        results += playable.play_out(range(len(results), count))
        if width is not None and max(sum_playouts(results).margins) <= width:
            break
    return sum_playouts(results), results


def sum_playouts(results: Sequence[tuple[int, ...]]) -> PositionEstimate:
    """Sum the results of playouts into an estimate. Each result contains the final place of each seat."""
    seats, counts = range(len(results[0])), Counter(results)
    counted = [(left_behind(places), places, count) for places, count in counts.items()]
    return PositionEstimate(
        playouts=len(results),
        left_behind=tuple(sum(count * left[seat] for left, _, count in counted) for seat in seats),
        squares=tuple(sum(count * left[seat] ** 2 for left, _, count in counted) for seat in seats),
        places=tuple(
            tuple(sum(count for _, places, count in counted if places[seat] == 1 + place) for place in seats)
            for seat in seats
        ),
    )


def estimate_of_result(places: tuple[int, ...]) -> PositionEstimate:
    """Return the win shares of an ended match, from its final places, as an estimate without error."""
    return msgspec.structs.replace(sum_playouts([places]), playouts=0)
