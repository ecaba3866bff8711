"""Standard deviation of the prior between consecutive versions of a bot (the "width"), learnt from the matches.

A few candidate widths are compared by evidence, the likelihood of the matches under each (D. MacKay, Bayesian
Interpolation, 1992). The derivative of the log evidence by the logarithm of a width w is ``sum(d * d + v) / (w * w) -
n`` for n later versions with differences d at the mode and variances v: it is positive as long as versions differ by
more than w. The variances are computed bot by bot, as if the strengths of all other bots were known: this is fast and
hardly changes the width. A prior on the width itself keeps it near the default if there are few matches.
"""

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
    """Return the best candidate in `WIDTHS`: the nearest, by ratio, to the width with the highest evidence.

    `rises(width)` tells on which side of the optimum a width is. It is true below the optimum, where the evidence still
    rises with the width, and false above it. In the example the optimum is 0.3: nearer, by ratio, to 0.35 than to 0.25.

    >>> widest_rising_width(lambda width: width < 0.3)
    0.35
    """
    edges = [math.sqrt(low * high) for low, high in pairwise(WIDTHS)]
    return WIDTHS[bisect_left(edges, 1, key=lambda edge: 0 if rises(edge) else 1)]


def is_wider_better(differences: Floats, variances: Floats, width: float, usual: float) -> bool:
    """Return whether a prior wider than `width` fits the strength differences between successive versions better.

    True if the slope of the log evidence, plus `STANDARD_ERRORS_ADDED` standard errors of this slope, is positive. The
    errors are added because the evidence alone makes the width too small for versions with few matches. The standard
    error follows from how well the matches determine each difference. `usual` is the default width.
    """
    differ = float(np.sum(differences * differences + variances))
    slope = differ / (width * width) - len(differences) - math.log(width / usual) / PRIOR_DEVIATION**2
    information = np.clip(1 - variances / (width * width), 0, 1)
    return slope + STANDARD_ERRORS_ADDED * math.sqrt(2 * float(np.sum(information * information))) > 0


def eliminate_versions(own: NDArray[np.floating], links: NDArray[np.floating], before: Ints) -> list[float]:
    """Eliminate the versions from a matrix, the last one first (Gaussian elimination); return each version's pivot.

    The matrix is symmetric, with a row for each version. Its diagonal is `own`. Off the diagonal it has one element for
    each version and its predecessor, in `links` at the index of the version; all other elements are 0.
    """
    former, ties = before.tolist(), links.tolist()
    left: list[float] = own.tolist()
    for version in range(len(former) - 1, -1, -1):
        if former[version] >= 0:
            left[former[version]] -= ties[version] ** 2 / left[version]
    return left


def variances_within(own: NDArray[np.floating], links: NDArray[np.floating], before: Ints) -> Floats:
    """Return the variance of each later version's difference from its predecessor, computed bot by bot.

    The result has one value for each version with a predecessor. `own` and `links` are negative second derivatives of
    the log posterior: `own` by each version's strength, `links` by the strengths of a version and its predecessor. In
    the arrays, a predecessor comes before its successors.
    (Elimination from the last versions to the first, and back: exact on trees.)
    """
    former, left, ties = before.tolist(), eliminate_versions(own, links, before), links.tolist()
    spread, variances = [0.0] * len(former), []
    for version, parent in enumerate(former):
        spread[version] = 1 / left[version]
        if parent >= 0:
            share = ties[version] / left[version]
            spread[version] += share * share * spread[parent]
            variances.append(spread[version] + spread[parent] * (1 + 2 * share))
    return np.array(variances)
