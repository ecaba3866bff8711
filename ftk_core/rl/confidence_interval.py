"""Confidence interval of the mean share of opponents that a bot beats."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ftk_core.analysis.confidence_intervals import mean_margin


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
    mean, margin = float(np.mean(shares)), mean_margin([float(share) for share in shares])
    return ConfidenceInterval(mean, mean - margin, mean + margin)
