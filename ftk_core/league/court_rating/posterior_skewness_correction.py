"""Difference between posterior mean and mode of the bots' strengths, to first order.

Method: L. Tierney and J. Kadane, Accurate Approximations for Posterior Moments, 1986.
"""
# A bot that has won every match might be much stronger than its mode, but hardly weaker: the mean is more extreme. The
# difference is the covariance times the gradient of ``-log(det(curvature)) / 2``. The parameters of ties are not
# varied.

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ftk_core.league.court_rating.likelihood import (
    Floats,
    MatchArrayBatch,
    PlackettLuceChoiceSet,
    chances_of,
    compute_in_order,
    expected_membership,
    strengths_of,
    weights_of,
)


def mean_shift_of(portions: Sequence[MatchArrayBatch], x: Floats, covariance: Floats) -> Floats:
    """Return the posterior mean of each parameter minus its value at the mode `x`."""
    gradient = np.zeros_like(x)
    for some in compute_in_order(lambda portion: _gradient(portion, x, covariance), portions):
        gradient += some
    shift: Floats = covariance @ gradient
    return shift


def _gradient(portion: MatchArrayBatch, x: Floats, covariance: Floats) -> Floats:
    strengths = strengths_of(portion, x)
    weights, change = weights_of(strengths), np.zeros_like(strengths)
    spread = sum(covariance[one[:, None], other[None]] for one in portion.terms for other in portion.terms)
    for part in portion.choices:
        _add_choice(part, chances_of(part, strengths, weights, x), np.asarray(spread), change)
    gradient = np.zeros_like(x)
    for term in portion.terms:
        gradient += np.bincount(term.ravel(), weights=change.ravel(), minlength=len(x))
    return gradient


def _add_choice(part: PlackettLuceChoiceSet, chances: Floats, spread: Floats, change: Floats) -> None:
    """Add one place of several matches, such as the first, to the gradient `change`."""
    # S is the covariance of the strengths in a match (`spread`), C the negative Hessian of the log probability of the
    # place. A match contributes the gradient of ``-trace(S @ C) / 2``. `change` has the shape (bots, matches).
    left = spread[part.at :, part.at :, part.rows]
    towards = np.einsum("ijm,jm->im", left, expected_membership(part, chances))
    if part.plain:
        own, along = np.einsum("iim->im", left), towards
    else:
        own = np.einsum("ai,ijm,aj->am", part.groups, left, part.groups, optimize=True)
        along = part.groups @ towards
    off = own - 2 * along
    by_group = -chances * (off - (chances * off).sum(axis=0)) / 2
    change[part.at :, part.rows] += by_group if part.plain else part.groups.T @ by_group
