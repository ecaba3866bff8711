"""Confidence interval of the mean share of opponents that a bot beats."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

Z_95_PERCENT = 1.96
"""Half-width of a 95% interval, in standard errors."""


class ConfidenceInterval(msgspec.Struct, frozen=True):
    """Mean share of opponents that a bot beats, with its 95% interval."""

    mean: float
    low: float
    high: float


def estimate_mean(shares: Sequence[float] | NDArray[np.float64]) -> ConfidenceInterval:
    """Return the mean of two or more numbers with its 95% interval.

    >>> estimate_mean([0.0, 0.5, 0.5, 1.0]).mean
    0.5
    """
    mean, error = float(np.mean(shares)), float(np.std(shares, ddof=1)) / sqrt(len(shares))
    return ConfidenceInterval(mean, mean - Z_95_PERCENT * error, mean + Z_95_PERCENT * error)
