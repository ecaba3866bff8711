"""Second-order correction to Laplace's approximation of the evidence (marginal likelihood) of a prior.

Laplace's approximation replaces the posterior by a normal distribution. If hundreds of bots have played a few matches
each, the error is small for each bot, but adds up to several nats. Uncorrected, the standard deviation of the bots'
strengths can be underestimated by half.

The correction is computed from the log ratio of the posterior to the normal distribution. It is the mean of this ratio
plus half its variance (the first two cumulants), estimated from random draws of the normal distribution. (L. Tierney
and J. Kadane, Accurate Approximations for Posterior Moments, 1986, give a correction of the same order that is computed
from derivatives.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from ftk_core.league.court_rating.likelihood import Floats

NORMAL_DRAWS = 32
"""Number of random draws. Each is used with both signs to cancel odd terms. Every call uses the same draws."""


def evidence_error(log_posterior: Callable[[Floats], float], top: Floats, factor: Floats, free: int) -> float:
    """Return the estimated true log evidence minus Laplace's approximation of it, in nats.

    `top` is the mode of the posterior. `factor` is the lower Cholesky factor of the negative second derivatives of the
    log posterior at `top`. The parameters from index `free` on, those of seats, roles and ties, stay at the mode in all
    random draws, because their posterior may be far from normal.

    >>> evidence_error(lambda x: -float(x @ x) / 2, np.zeros(3), np.eye(3), 3)  # a normal is approximated exactly
    0.0
    """
    # a legacy generator has a fixed stream, so that digits do not depend on the version of numpy
    draws = np.random.RandomState(0).standard_normal((NORMAL_DRAWS, len(top)))
    draws[:, free:] = 0
    steps = scipy.linalg.solve_triangular(factor, draws.T, lower=True, trans="T", check_finite=False).T
    highest, halves = log_posterior(top), np.einsum("ij,ij->i", draws, draws) / 2
    both = [
        [log_posterior(top + sign * step) - highest + half for sign in (1, -1)]
        for step, half in zip(steps, halves, strict=True)
    ]
    remainders = np.array(both)
    return round(float(remainders.mean() + remainders.var() / 2), 6) + 0.0  # turns -0.0 into 0.0
