"""Block values of which everything is known: measured in real matches, drawn by lot, lopsided on purpose."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

Values = Mapping[float, float]
"""How often each value comes, as any weights."""
Row = tuple[int, float, Values]
"""(seats, the h1 to be told from 0, values)"""


def counted(seats: int, halves: Mapping[int, int]) -> Values:
    """Return values by how many half opponents the candidate left behind more than the reference, in all of a block."""
    return {half / (2 * seats * (seats - 1)): times for half, times in halves.items()}


MEASURED: dict[str, Row] = {
    "for_the_king at 2": (2, 0.08, counted(2, {-4: 4, -2: 27, 0: 64, 2: 53, 4: 2})),
    "for_the_king at 4, a twin": (
        4,
        0.05,
        counted(4, {-12: 1, -8: 3, -6: 2, -4: 6, -2: 16, 0: 17, 2: 10, 4: 9, 6: 5, 8: 8, 10: 1, 14: 2}),
    ),
    "to_court_the_king at 2": (2, 0.06, counted(2, {-2: 1, 0: 58, 2: 89, 4: 3})),
    "pig at 4, a twin": (
        4,
        0.02,
        counted(4, {-8: 2, -6: 2, -4: 13, -3: 2, -2: 11, -1: 4, 0: 24, 1: 2, 2: 11, 3: 3, 4: 5, 8: 1}),
    ),
    "kings_court at 6": (
        6,
        0.04,
        counted(
            6,
            dict(
                zip(
                    (
                        -10,
                        -8,
                        -6,
                        -4,
                        -3,
                        -2,
                        -1,
                        0,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        8,
                        9,
                        10,
                        11,
                        12,
                        14,
                        15,
                        16,
                        17,
                        18,
                        21,
                        22,
                        23,
                        24,
                    ),
                    (1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 8, 3, 1, 2, 3, 6, 5, 6, 2, 1, 1, 3, 1, 1, 1, 2, 1),
                    strict=True,
                )
            ),
        ),
    ),
}
"""Of real matches against the house: courtier and counter, hasty and greedy, liar and sleuth; hold20 and greedy with
twins that hold at 25, and keep cards that are worth 2."""


def by_lot(seats: int) -> Values:
    """Return the values of blocks in which every place is drawn by lot, by summing seat after seat."""
    values = Counter({0: Fraction(1)})
    for step in [1] * seats + [-1] * seats:
        following = Counter[int]()
        for value, chance in values.items():
            for beaten in range(seats):
                following[value + step * beaten] += chance / seats
        values = following
    return {value / (seats * (seats - 1)): float(chance) for value, chance in values.items()}


DRAWN: dict[str, Row] = {
    f"by lot at {seats}": (seats, h1, by_lot(seats)) for seats, h1 in ((2, 0.1), (4, 0.05), (12, 0.04))
}
LOPSIDED: dict[str, Row] = {
    "a tenth of the deals won by half at 4": (4, 0.05, {0.0: 0.9, 0.5: 0.1}),
    "a tenth of the deals won by all at 2": (2, 0.1, {0.0: 0.9, 0.5: 0.07, 1.0: 0.03}),
    "nearly always the same at 4": (4, 0.05, {-0.5: 0.02, 0.0: 0.96, 0.5: 0.02}),
}
"""As where a version only mends what seldom went wrong."""


def mean_of(values: Values) -> float:
    return sum(value * weight for value, weight in values.items()) / sum(values.values())


def variance_of(values: Values) -> float:
    mean, whole = mean_of(values), sum(values.values())
    return sum(weight * (value - mean) ** 2 for value, weight in values.items()) / whole


def moved(values: Values, mean: float) -> Values:
    """Return the values with weights that give another mean, otherwise as near as can be: tilted by e ** (t * x)."""
    low, high = -1000.0, 1000.0
    for _ in range(100):
        tilt = (low + high) / 2
        low, high = (tilt, high) if mean_of(_tilted(values, tilt)) < mean else (low, tilt)
    return _tilted(values, low)


def _tilted(values: Values, tilt: float) -> Values:
    top = max(value * tilt for value in values)
    return {value: weight * math.exp(value * tilt - top) for value, weight in values.items()}
