"""Standard deviation of the prior for the strengths of bots' first versions (the "spread"), learnt from the matches.

A few candidate spreads are weighted by how likely the matches are under each (the evidence), and by a weak prior that
prefers the default spread. The weak prior decides if there are few bots or matches. The evidence is computed by
Laplace's approximation (D. MacKay, Bayesian Interpolation, 1992).

Ratings come from the fit with the likeliest spread alone, so that their digits can be proved to be exact. Their
intervals and probabilities average over all spreads that are likely enough.
"""

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
    """Return the likely spreads (standard deviations of the bots' strengths), each mapped to log(evidence times prior).

    `evidence` returns the log evidence of a spread, and `usual` is the default spread. The search tries the values of
    `SPREADS` above the default in ascending order, then those below it in descending order. It stops in either
    direction at a spread that is much less likely than the best.

    >>> list(weigh_spreads(lambda spread: -5 * abs(spread - 2), 1.0))
    [1.0, 1.4, 2.0, 2.8]
    """

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
