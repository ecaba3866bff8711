"""Estimated standard deviation of the strengths of bots' first versions.

Method: Laplace's approximation of the evidence (D. MacKay, Bayesian Interpolation, 1992).
"""
# A weak prior prefers the default; it decides if there are few bots or matches. Ratings come from the fit with the
# likeliest spread alone, so that their digits can be proved to be exact. Their intervals and probabilities average over
# all spreads that are likely enough.

from __future__ import annotations

import math
from collections.abc import Callable

SPREADS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6)
"""Candidate standard deviations in units of strength: from 43 to 973 points."""
PRIOR_DEVIATION = 0.7
"""Standard deviation of the weak prior on the logarithm of the spread. Its mean is the log of the default spread."""
MAX_LOG_EVIDENCE_LOSS = math.log(100)
"""A spread is dropped if the log of its evidence times prior is this far, in nats, below that of the best spread."""


def weigh_spreads(evidence: Callable[[float], float], usual: float) -> dict[float, float]:
    """Return the log weight (log evidence plus log prior) of each likely standard deviation of the strengths.

    The candidates are `SPREADS`. A candidate is likely if its weight is at least a hundredth of the highest weight.
    `evidence(spread)` returns the log evidence of a candidate. `usual` is the default, which the prior prefers.

    >>> list(weigh_spreads(lambda spread: -5 * abs(spread - 2), 1.0))  # evidence is highest at 2; the default is 1
    [1.0, 1.4, 2.0, 2.8]
    """
    # From the default upwards, then downwards. Each direction ends at a spread that is much less likely than the best.

    def belief(spread: float) -> float:
        return evidence(spread) - (math.log(spread / usual) / PRIOR_DEVIATION) ** 2 / 2

    middle = SPREADS.index(usual)
    evidence_by_spread = {usual: belief(usual)}
    for side in (SPREADS[middle + 1 :], SPREADS[:middle][::-1]):
        for spread in side:
            evidence_by_spread[spread] = belief(spread)
            if evidence_by_spread[spread] < max(evidence_by_spread.values()) - MAX_LOG_EVIDENCE_LOSS:
                break
    best = max(evidence_by_spread.values())
    return {
        spread: value for spread, value in sorted(evidence_by_spread.items()) if value >= best - MAX_LOG_EVIDENCE_LOSS
    }
