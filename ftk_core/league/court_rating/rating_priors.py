"""Prior distribution of bots' strengths and of the other fitted parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from ftk_core.league.court_rating.likelihood import Ints
from ftk_core.league.court_rating.match_arrays import RatingParameterLayout


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorSigmas:
    """Standard deviations of the prior, in units of strength (174 points each)."""

    first: float = 1.0
    """Standard deviation of a bot's first version around the mean."""
    later: float = 0.5
    """Standard deviation of a later version around its predecessor."""
    seat: float = 0.5
    role: float = 0.5
    tie: float = 3.0
    """Standard deviation, around 0, of the logarithm of the propensity to tie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JointRatingPrior:
    """Joint normal prior of all fitted parameters, with mean 0 and the given precision matrix."""

    precision: scipy.sparse.csr_array
    least: float
    """Lower bound on the smallest eigenvalue of the precision matrix."""


def build_parameter_prior(before: Ints, layout: RatingParameterLayout, prior: PriorSigmas) -> JointRatingPrior:
    """Build the joint prior of all parameters. `before` holds the index of each version's predecessor, or -1."""
    versions = np.arange(len(before))
    later = versions[before >= 0]
    own = np.where(before < 0, precision_of(prior.first), precision_of(prior.later))
    diagonal = np.concatenate([own, np.zeros(layout.size - len(before))])
    np.add.at(diagonal, before[later], precision_of(prior.later))
    for first, past, width in (
        (layout.versions, layout.roles, prior.seat),
        (layout.roles, layout.first_tie, prior.role),
        (layout.first_tie, layout.size, prior.tie),
    ):
        diagonal[first:past] = precision_of(width)
    everyone, links = np.arange(layout.size), np.full(len(later), -precision_of(prior.later))
    values = np.concatenate([diagonal, links, links])
    row_indices = np.concatenate([everyone, later, before[later]])
    columns = np.concatenate([everyone, before[later], later])
    precision = scipy.sparse.csr_array((values, (row_indices, columns)), shape=(layout.size, layout.size))
    return JointRatingPrior(precision=precision, least=_lower_bound_of_precision(before, prior))


def precision_of(width: float) -> float:
    """Return the inverse square of a standard deviation."""
    # These operations give the same bits on every machine.
    return 1 / (width * width)


def _lower_bound_of_precision(before: Ints, prior: PriorSigmas) -> float:
    """Return a lower bound on the smallest eigenvalue of the prior's precision matrix."""
    # The bound limits the error of a fit. It is 1 / v, where v is the largest of: the variances of a seat effect, a
    # role effect and a tie parameter, and, for each bot, the sum of the variances of its versions.
    age = np.zeros(len(before), dtype=np.int64)
    for version, former in enumerate(before.tolist()):
        age[version] = 0 if former < 0 else age[former] + 1
    bots = np.zeros(len(before))
    root = np.arange(len(before))
    for version, former in enumerate(before.tolist()):
        root[version] = root[former] if former >= 0 else version
    np.add.at(bots, root, prior.first**2 + age * prior.later**2)
    most = max(prior.seat**2, prior.role**2, prior.tie**2, float(bots.max(initial=0)))
    return 1 / most
