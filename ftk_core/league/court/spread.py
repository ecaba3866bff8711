"""Spread of a field: the width of the prior of first versions, learnt from the matches.

Each of a few widths is weighted by its evidence, the likelihood of the matches under it (Laplace's approximation with
the determinant of the curvature at the mode for that width; D. MacKay, Bayesian Interpolation, 1992), and by a weak
prior around the default width, which decides if there are few bots or matches. The likeliest width gives the ratings,
so that their digits are those of an exact fit. Intervals and probabilities average over all widths that are likely
enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable

SPREADS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6)
"""Candidate widths in units of strength: from 43 to 973 points."""
DOUBT = 0.7
"""Standard deviation of the logarithm of the spread around the default."""
UNLIKELY = math.log(100)
"""A spread whose log evidence is this far below the best is dropped."""


def weigh(evidence: Callable[[float], float], usual: float) -> dict[float, float]:
    """Return the log evidence of each likely spread, found by walking from the default to both sides.

    >>> list(weigh(lambda spread: -5 * abs(spread - 2), 1.0))
    [1.0, 1.4, 2.0, 2.8]
    """

    def belief(spread: float) -> float:
        return evidence(spread) - (math.log(spread / usual) / DOUBT) ** 2 / 2

    middle = SPREADS.index(usual)
    found = {usual: belief(usual)}
    for side in (SPREADS[middle + 1 :], SPREADS[:middle][::-1]):
        for spread in side:
            found[spread] = belief(spread)
            if found[spread] < max(found.values()) - UNLIKELY:
                break
    best = max(found.values())
    return {spread: value for spread, value in sorted(found.items()) if value >= best - UNLIKELY}
