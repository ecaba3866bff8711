"""Estimated standard deviation of the strength difference between versions of a bot.

Method: highest evidence (D. MacKay, Bayesian Interpolation, 1992) among a few candidates.
"""
# If there are few matches, a prior keeps the width near the default. The search needs only the sign of the derivative
# of the log evidence by log(width): ``sum(d * d + v) / (w * w) - n``, where w is the width, n the number of later
# versions, d the difference of a later version from its predecessor at the mode, and v the variance of d. Variances are
# computed for one bot at a time, as if all other strengths were known. This is fast and hardly changes the width.

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.court_rating.likelihood import Floats, Ints

WIDTHS = (0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4)
"""Candidate widths in units of strength. As they are few, a few new matches rarely change the width in use."""
PRIOR_DEVIATION = 1.0
"""Standard deviation of the prior on the logarithm of the width. Its mean is the log of the default width."""
STANDARD_ERRORS_ADDED = 1.0
"""Number of standard errors by which the estimated width is increased. Laplace's approximation underestimates the width
for versions with few matches, and too small a width makes intervals wrong."""


def widest_rising_width(rises: Callable[[float], bool]) -> float:
    """Return the value in `WIDTHS` that is closest to the width with the highest evidence.

    Distances are measured on a logarithmic scale. `rises(width)` must return True if a slightly larger width has higher
    evidence.

    >>> widest_rising_width(lambda width: width < 0.3)  # the evidence is highest at 0.3; WIDTHS has 0.25 and 0.35
    0.35
    """
    edges = [math.sqrt(low * high) for low, high in pairwise(WIDTHS)]
    return WIDTHS[bisect_left(edges, 1, key=lambda edge: 0 if rises(edge) else 1)]


def is_wider_better(differences: Floats, variances: Floats, width: float, usual: float) -> bool:
    """Return True if a prior wider than `width` fits the strength differences between successive versions better.

    `usual` is the default width of the prior (its standard deviation).
    """
    # `STANDARD_ERRORS_ADDED` standard errors are added to the slope of the log evidence, because the evidence alone
    # gives too small a width for versions with few matches.
    differ = float(np.sum(differences * differences + variances))
    slope = differ / (width * width) - len(differences) - math.log(width / usual) / PRIOR_DEVIATION**2
    information = np.clip(1 - variances / (width * width), 0, 1)
    return slope + STANDARD_ERRORS_ADDED * math.sqrt(2 * float(np.sum(information * information))) > 0


def eliminate_versions(own: NDArray[np.floating], links: NDArray[np.floating], before: Ints) -> list[float]:
    """Apply Gaussian elimination to a symmetric matrix, from the last row to the first, and return the pivots.

    Each row and each column stands for a bot version. `own` is the diagonal. ``before[v]`` is the index of the
    predecessor of version v, or -1. ``links[v]`` is the matrix element of version v and its predecessor. All other
    elements are 0.
    """
    former, ties = before.tolist(), links.tolist()
    left: list[float] = own.tolist()
    for version in range(len(former) - 1, -1, -1):
        if former[version] >= 0:
            left[former[version]] -= ties[version] ** 2 / left[version]
    return left


def variances_within(own: NDArray[np.floating], links: NDArray[np.floating], before: Ints) -> Floats:
    """Return the variance of the strength difference between each bot version and its predecessor.

    `own`, `links` and `before` describe the negative Hessian of the log posterior as in `eliminate_versions`. Each
    predecessor must have a lower index than its successor. The result omits versions without a predecessor.
    """
    # Each bot is taken for itself. Its versions form a tree, so eliminating them from the last to the first and going
    # back gives the exact variances.
    former, left, ties = before.tolist(), eliminate_versions(own, links, before), links.tolist()
    spread, variances = [0.0] * len(former), []
    for version, parent in enumerate(former):
        spread[version] = 1 / left[version]
        if parent >= 0:
            share = ties[version] / left[version]
            spread[version] += share * share * spread[parent]
            variances.append(spread[version] + spread[parent] * (1 + 2 * share))
    return np.array(variances)
