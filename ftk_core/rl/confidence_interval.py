"""Confidence interval of a bot's mean share.

The share is the bot's result in one match: the part of its opponents, 0 to 1, that it finished ahead of.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

Z_95_PERCENT = 1.96
"""Half-width of a 95% interval, in standard errors."""


class ConfidenceInterval(msgspec.Struct, frozen=True):
    """Mean share of a bot with its 95% interval. The share is the part of the opponents that it finished ahead of."""

    mean: float
    low: float
    high: float


def estimate_mean(shares: Sequence[float] | NDArray[np.float64]) -> ConfidenceInterval:
    """Return the mean of two or more shares with its 95% interval.

    >>> estimate_mean([0.0, 0.5, 0.5, 1.0]).mean
    0.5
    """
    mean, error = float(np.mean(shares)), float(np.std(shares, ddof=1)) / sqrt(len(shares))
    return ConfidenceInterval(mean, mean - Z_95_PERCENT * error, mean + Z_95_PERCENT * error)
