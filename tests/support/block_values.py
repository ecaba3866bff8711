"""Distributions of block values with known properties: measured in real matches, drawn by lot, or skewed on purpose."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

Values = Mapping[float, float]
"""Weight of each value, in any unit."""
Row = tuple[int, float, float, Values]
"""(seats, h0, h1, values): h0 and h1 are the means of the two hypotheses of a test on these values."""


def weight_values(seats: int, halves: str) -> Values:
    """Return the weights of block values; `halves` has a word for each value, with ``*`` before a weight other than 1.

    A value is given as the candidate's lead over a block, counted in halves of an opponent left behind.

    >>> weight_values(2, "-2*3 0*5 4")
    {-0.5: 3, 0.0: 5, 1.0: 1}
    """
    rows = [(*word.split("*"), "1")[:2] for word in halves.split()]
    return {int(half) / (2 * seats * (seats - 1)): int(times) for half, times in rows}


KING_2 = weight_values(2, "-4*4 -2*27 0*64 2*53 4*2")
KING_4 = weight_values(4, "-12 -8*3 -6*2 -4*6 -2*16 0*17 2*10 4*9 6*5 8*8 10 14*2")
DICE_2 = weight_values(2, "0*58 2*89 4*3")
DICE_4 = weight_values(4, "-2*2 0*6 2*4 4*11 6*19 8*10 10*4 12*2 14*2")
THEFT_6 = weight_values(
    6,
    "-10 -8 -6 -4 -3 -2 -1 0 2 3*3 4 5*8 6*3 7 8*2 9*3 10*6 11*5 12*6 14*2 15 16 17*3 18 21 22 23*2 24",
)
THEFT_12 = weight_values(12, "-16 -11*2 -7 -5 -3*3 4 6 7 8 12 14 15*2 16*2 18 22 31 32*2 33 35*2 37 39 40 56")
PIG_4 = weight_values(4, "-8*2 -6*2 -4*13 -3*2 -2*11 -1*4 0*24 1*2 2*11 3*3 4*5 8")
MEASURED: dict[str, Row] = {
    "for_the_king at 2": (2, 0.07, 0.15, KING_2),
    "for_the_king at 4, a twin": (4, 0.04, 0.09, KING_4),
    "to_court_the_king at 2": (2, 0.32, 0.38, DICE_2),
    "to_court_the_king at 4": (4, 0.23, 0.27, DICE_4),
    "kings_court at 6": (6, 0.14, 0.17, THEFT_6),
    "kings_court at 12": (12, 0.06, 0.075, THEFT_12),
    "pig at 4, a twin": (4, -0.03, -0.005, PIG_4),
}
"""Distributions measured in real matches of two built-in bots: courtier and counter, hasty and greedy, liar and sleuth.

A twin is a bot that differs little: hold20 that holds at 25, and greedy that keeps cards worth 2. Each h0 is about the
measured mean, so that `shift_mean` changes the weights only a little.
"""
SHORT: dict[str, Row] = {
    "to_court_the_king at 4": (4, 0.23, 0.3, DICE_4),
    "kings_court at 12": (12, 0.06, 0.09, THEFT_12),
    "pig at 4, a twin": (4, -0.03, 0.02, PIG_4),
}
"""Some of these with a greater distance between h0 and h1, which a test of fixed size detects in few blocks."""


def random_place_values(seats: int) -> Values:
    """Return the distribution of block values if all places are drawn by lot, summed seat by seat."""
    values = Counter({0: Fraction(1)})
    for step in [1] * seats + [-1] * seats:
        following = Counter[int]()
        for value, chance in values.items():
            for beaten in range(seats):
                following[value + step * beaten] += chance / seats
        values = following
    return {value / (seats * (seats - 1)): float(chance) for value, chance in values.items()}


DRAWN: dict[str, Row] = {
    f"by lot at {seats}": (seats, 0.0, h1, random_place_values(seats))
    for seats, h1 in ((2, 0.1), (4, 0.05), (12, 0.04))
}
LOPSIDED: dict[str, Row] = {
    "a tenth of the deals won by half at 4": (4, 0.0, 0.05, {0.0: 0.9, 0.5: 0.1}),
    "a tenth of the deals won by all at 2": (2, 0.0, 0.1, {0.0: 0.9, 0.5: 0.07, 1.0: 0.03}),
    "nearly always the same at 4": (4, 0.0, 0.05, {-0.5: 0.02, 0.0: 0.96, 0.5: 0.02}),
}
"""Skewed distributions: most blocks are equal, as if a new version played differently only in rare situations."""


def mean_of(values: Values) -> float:
    return sum(value * weight for value, weight in values.items()) / sum(values.values())


def variance_of(values: Values) -> float:
    mean, whole = mean_of(values), sum(values.values())
    return sum(weight * (value - mean) ** 2 for value, weight in values.items()) / whole


def shift_mean(values: Values, mean: float) -> Values:
    """Return the values with the weights that have this mean and are closest to the old ones.

    Each weight is multiplied by e ** (t * value), which is called exponential tilting.
    """
    low, high = -1000.0, 1000.0
    for _ in range(100):
        tilt = (low + high) / 2
        low, high = (tilt, high) if mean_of(_tilted(values, tilt)) < mean else (low, tilt)
    return _tilted(values, low)


def _tilted(values: Values, tilt: float) -> Values:
    top = max(value * tilt for value in values)
    return {value: weight * math.exp(value * tilt - top) for value, weight in values.items()}
