"""Second-order correction to Laplace's approximation of a prior's evidence.

Compare L. Tierney and J. Kadane, Accurate Approximations for Posterior Moments, 1986.
"""
# Laplace's approximation replaces the posterior by a normal distribution. With hundreds of bots and few matches, its
# errors add up to several nats: the standard deviation of strengths can be underestimated by half. The correction is
# the mean of the log ratio of posterior to normal, plus half its variance, estimated from random draws. (Tierney and
# Kadane compute one of the same order from derivatives.)

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from ftk_core.league.court_rating.likelihood import Floats

NORMAL_DRAWS = 32
"""Number of random draws. Each is used with both signs to cancel odd terms. Every call uses the same draws."""


def evidence_error(log_posterior: Callable[[Floats], float], top: Floats, factor: Floats, free: int) -> float:
    """Return the true log evidence minus Laplace's approximation, in nats, estimated from random points.

    `log_posterior` returns the log posterior density of a vector of parameters. `top` is its mode, and `factor` is the
    lower Cholesky factor of its negative Hessian there. At the random points, only the parameters with an index below
    `free` differ from the mode.

    >>> evidence_error(lambda x: -float(x @ x) / 2, np.zeros(3), np.eye(3), 3)  # a normal is approximated exactly
    0.0
    """
    # The parameters of seats, roles and ties stay at the mode, because their posterior may be far from normal.
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
