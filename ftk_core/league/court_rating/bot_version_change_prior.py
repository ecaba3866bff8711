"""Standard deviation of the prior between consecutive versions of a bot (the "width"), learnt from the matches.

The width says how far a new version usually differs in strength from the one before it. A few candidate widths are
compared. The best is the one with the highest evidence, the likelihood of the matches under the width (D. MacKay,
Bayesian Interpolation, 1992). If there are few matches, a prior on the width keeps it near the default.

The search needs only the sign of the derivative of the log evidence by log(width). The derivative is ``sum(d * d + v) /
(w * w) - n``:

* w is the width.
* n is the number of later versions (versions with a predecessor).
* d is the difference of a later version from its predecessor at the mode, and v is the variance of this difference.

The derivative is positive as long as versions differ by more than w. The variances are computed for one bot at a time,
as if the strengths of all other bots were known. This is fast and hardly changes the width.
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
    """Return the candidate in `WIDTHS` that is nearest, by ratio, to the width with the highest evidence.

    `rises(width)` must return True for every width below the best one: there the evidence still rises with the width.
    In the example the best width is 0.3, which is nearer, by ratio, to 0.35 than to 0.25.

    >>> widest_rising_width(lambda width: width < 0.3)
    0.35
    """
    edges = [math.sqrt(low * high) for low, high in pairwise(WIDTHS)]
    return WIDTHS[bisect_left(edges, 1, key=lambda edge: 0 if rises(edge) else 1)]


def is_wider_better(differences: Floats, variances: Floats, width: float, usual: float) -> bool:
    """Return whether a prior wider than `width` fits the strength differences between successive versions better.

    The prior is better if the evidence increases with the width. The function computes the slope of the log evidence
    and adds `STANDARD_ERRORS_ADDED` standard errors to it; the result is True if the sum is positive. The errors are
    added because the evidence alone gives too small a width for versions with few matches. `differences` are the
    estimated differences and `variances` their variances. `usual` is the default width, which a weak prior prefers.
    """
    differ = float(np.sum(differences * differences + variances))
    slope = differ / (width * width) - len(differences) - math.log(width / usual) / PRIOR_DEVIATION**2
    information = np.clip(1 - variances / (width * width), 0, 1)
    return slope + STANDARD_ERRORS_ADDED * math.sqrt(2 * float(np.sum(information * information))) > 0


def eliminate_versions(own: NDArray[np.floating], links: NDArray[np.floating], before: Ints) -> list[float]:
    """Return the pivots of a Gaussian elimination: one per bot version, eliminated from the last version to the first.

    The matrix is symmetric and has one row per version. `own` is its diagonal. `links` holds, at the index of a
    version, the element for this version and its predecessor. All other elements are 0.
    """
    former, ties = before.tolist(), links.tolist()
    left: list[float] = own.tolist()
    for version in range(len(former) - 1, -1, -1):
        if former[version] >= 0:
            left[former[version]] -= ties[version] ** 2 / left[version]
    return left


def variances_within(own: NDArray[np.floating], links: NDArray[np.floating], before: Ints) -> Floats:
    """Return the variance of the difference in strength between each later version and its predecessor.

    There is one value for each version with a predecessor. It is computed for one bot at a time.

    `own` and `links` hold negative second derivatives of the log posterior: `own` by a version's strength, `links` by
    the strengths of a version and its predecessor. A predecessor comes before its successors in the arrays. The
    versions of a bot form a tree, so eliminating them from the last to the first and going back gives the exact
    variances.
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
