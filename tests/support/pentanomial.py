"""The pentanomial GSPRT (a sequential test) with which chess engines are compared, as a reference for `ftk compare`.

It computes many tests at once. M. Van den Bergh, The Generalized Sequential Probability Ratio Test for Normal and
Multinomial, as in fishtest: the log ratio of the likelihoods of the five outcomes under the distributions nearest to
the observed one with mean h0 and h1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
VALUES: Floats = np.array([-1, -0.5, 0, 0.5, 1])
"""Outcomes of a pair of games, as the lead of one bot over the other."""
LEAST = 1e-3
"""Count that replaces a count of 0, as in fishtest."""
PAIRS = {
    "by lot": np.array([4.0, 0, 8, 0, 4]),
    "many draws": np.array([1.0, 5, 8, 5, 1]),
    "half of the deals decide": np.array([2.0, 1, 11, 1, 2]),
    "a twin": np.array([1.0, 3, 42, 3, 1]),
}
"""Weights of the outcomes in `VALUES` between equal bots, by kind of game or bots."""


def outcomes_with(weights: Floats, mean: float) -> Floats:
    """Return the probabilities of the outcomes with this mean, by exponential tilting of the weights."""
    low, high = -40.0, 40.0
    for _ in range(80):
        tilt = (low + high) / 2
        chances = weights * np.exp(VALUES * tilt)
        chances /= chances.sum()
        low, high = (tilt, high) if chances @ VALUES < mean else (low, tilt)
    return chances


def log_ratios(counts: Floats, h0: float, h1: float) -> Floats:
    """Return the log ratio of each test, given (tests, 5) counts."""
    whole = np.maximum(counts, LEAST)
    shares = whole / whole.sum(axis=1, keepdims=True)
    at0, at1 = _factors(shares, h0), _factors(shares, h1)
    found: Floats = (whole * (np.log(at0) - np.log(at1))).sum(axis=1)
    return found


def _factors(shares: Floats, mean: float) -> Floats:
    """Return the factors between the shares and the nearest distribution with that mean."""
    off = VALUES - mean
    low, high = np.full(len(shares), -1 / off.max()), np.full(len(shares), -1 / off.min())
    for _ in range(45):
        middle = (low + high) / 2
        above = (shares * off / (1 + middle[:, None] * off)).sum(axis=1) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    factors: Floats = 1 + ((low + high) / 2)[:, None] * off
    return factors


def gsprt(draws: NDArray[np.int64], h0: float, h1: float, rate: float = 0.05) -> tuple[NDArray[np.int64], Floats]:
    """Return the number of pairs at which each test ends, and its log ratio there, given (tests, pairs) outcomes."""
    bound = math.log((1 - rate) / rate)
    counts, taken, ratio = np.zeros((len(draws), 5)), np.zeros(len(draws), dtype=np.int64), np.zeros(len(draws))
    going = np.arange(len(draws))
    for pair in range(draws.shape[1]):
        counts[going, draws[going, pair]] += 1
        ratio[going], taken[going] = log_ratios(counts[going], h0, h1), pair + 1
        going = going[np.abs(ratio[going]) < bound]
        if not len(going):
            return taken, ratio
    raise AssertionError(f"{len(going)} tests did not end within {draws.shape[1]} pairs")
