"""Estimation of the prior: differences between bots, and between versions of a bot."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from ftk_core.league.court_rating.bot_version_change_prior import (
    eliminate_versions,
    is_wider_better,
    variances_within,
    widest_rising_width,
)
from ftk_core.league.court_rating.first_version_prior import weigh_spreads
from ftk_core.league.court_rating.laplace_correction import evidence_error
from ftk_core.league.court_rating.likelihood import Floats, Ints, log_likelihood
from ftk_core.league.court_rating.match_arrays import RatingParameterLayout
from ftk_core.league.court_rating.newton_method import (
    MODE_TOLERANCE,
    PosteriorMode,
    PosteriorModeSearch,
    write_curvature,
)
from ftk_core.league.court_rating.rating_priors import (
    JointRatingPrior,
    PriorSigmas,
    build_parameter_prior,
    precision_of,
)

LEARNING_GRADIENT = 1e-5
"""Size of the gradient, relative to its random noise, at which a fit that serves to learn the prior stops."""
MAX_VERSIONS_FOR_FULL_DETERMINANT = 500
"""Number of bot versions above which the evidence of a prior is computed bot by bot, and only the likeliest is kept."""

FEW_VERSIONS, MATCHES_PER_VERSION = 100, 100
"""Limits for the correction of Laplace's approximation of the evidence: number of bot versions, and seats played per
version. With fewer versions or more seats played, the error is less than a nat and is not corrected."""


@dataclass(frozen=True, slots=True)
class CandidateRatingPrior:
    """Candidate prior, the fit under it, and its log evidence."""

    prior: PriorSigmas
    believed: JointRatingPrior
    top: PosteriorMode
    log_weight: float


@dataclass(slots=True, kw_only=True)
class PriorEstimator:
    """Search for the likely priors. It fits the ratings under each candidate, starting from the previous fit."""

    # `before` holds the index of each version's predecessor, or -1. `x`: parameters at which the next fit starts.

    layout: RatingParameterLayout
    before: Ints
    mode_search: PosteriorModeSearch
    x: Floats
    likelihood_gradient: Floats | None = None

    def learn(self) -> list[CandidateRatingPrior]:
        """Return the priors that are likely given the matches, the likeliest first."""
        # With more than `MAX_VERSIONS_FOR_FULL_DETERMINANT` bot versions, only the likeliest.
        usual = PriorSigmas()
        prior = self._with_width(usual)
        candidates = self._by_spread(prior)
        if (
            candidates[0].prior.first != usual.first
            and (learnt := self._with_width(candidates[0].prior)) != candidates[0].prior
        ):
            candidates = self._by_spread(replace(learnt, first=usual.first))
        return candidates if self.layout.versions <= MAX_VERSIONS_FOR_FULL_DETERMINANT else candidates[:1]

    def _climb(self, prior: PriorSigmas) -> tuple[JointRatingPrior, PosteriorMode]:
        believed = build_parameter_prior(self.before, self.layout, prior)
        small = (
            self.layout.versions <= MAX_VERSIONS_FOR_FULL_DETERMINANT
        )  # small fits are exact: several priors are kept, and their weights affect the published intervals
        enough = MODE_TOLERANCE if small else LEARNING_GRADIENT * random_gradient_of(self.layout) / believed.least
        top = self.mode_search.top(self.layout.portions, believed, self.x, enough, self.likelihood_gradient)
        self.x, self.likelihood_gradient = top.x, top.likelihood_gradient
        return believed, top

    def _with_width(self, prior: PriorSigmas) -> PriorSigmas:
        """Estimate the spread between the versions of a bot from the matches, and return `prior` with this spread."""
        # Unchanged if no bot has several versions.
        later = np.flatnonzero(self.before >= 0)
        if not len(later):
            return prior

        def rises(width: float) -> bool:
            believed, top = self._climb(replace(prior, later=width))
            own, links = self._curvature(believed, width)
            differences = top.x[later] - top.x[self.before[later]]
            return is_wider_better(differences, variances_within(own, links, self.before), width, PriorSigmas().later)

        return replace(prior, later=widest_rising_width(rises))

    def _by_spread(self, prior: PriorSigmas) -> list[CandidateRatingPrior]:
        """Return a prior for each likely spread of bots' first versions, the likeliest first."""
        tried = dict[float, CandidateRatingPrior]()

        def evidence(spread: float) -> float:
            one = replace(prior, first=spread)
            believed, top = self._climb(one)
            value = self._log_posterior(believed, top.x) - int((self.before < 0).sum()) * math.log(spread)
            value += self._normal_evidence(believed, top, one)
            tried[spread] = CandidateRatingPrior(one, believed, top, value)
            return value

        weights = weigh_spreads(evidence, prior.first)
        likely = [replace(tried[spread], log_weight=weight) for spread, weight in weights.items()]
        return sorted(likely, key=lambda one: -one.log_weight)

    def _log_posterior(self, believed: JointRatingPrior, x: Floats) -> float:
        return log_likelihood(self.layout.portions, x) - float(x @ (believed.precision @ x)) / 2

    def _normal_evidence(self, believed: JointRatingPrior, top: PosteriorMode, prior: PriorSigmas) -> float:
        """Return the log of the posterior's integral divided by its density at the mode, up to a constant."""
        # The evidence contains this integral, which a normal approximation of the posterior gives.
        # The error is corrected for `FEW_VERSIONS` or more versions with few matches each. With very many versions,
        # each bot is taken alone.
        if self.layout.versions > MAX_VERSIONS_FOR_FULL_DETERMINANT:
            own, links = self._curvature(believed, prior.later)
            return -float(np.log(eliminate_versions(own, links, self.before)).sum()) / 2
        curved = np.zeros(believed.precision.shape)
        write_curvature(self.layout.portions, believed.precision, top.x, self.layout.versions, curved)
        factor = scipy.linalg.cholesky(curved, lower=True)
        volume = -float(np.log(factor.diagonal()).sum())
        versions = self.layout.versions
        if versions < FEW_VERSIONS or random_gradient_of(self.layout) ** 2 > MATCHES_PER_VERSION * versions:
            return volume
        return volume + evidence_error(lambda x: self._log_posterior(believed, x), top.x, factor, versions)

    def _curvature(self, believed: JointRatingPrior, width: float) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """Return elements of the log posterior's negative Hessian, as two arrays with one value per bot version.

        The first array holds the diagonal. The second array holds the element for each version and its predecessor.
        """
        # In the second array, the value of a bot's first version has no meaning.
        # `width` is the prior's standard deviation between successive versions.
        if not self.mode_search.fresh:  # the first search made no step, because it started at the mode
            self.mode_search.update_curvature(self.layout.portions, self.x)
        versions = np.arange(len(self.before))
        own = self.mode_search.curved.diagonal()[: len(versions)] + believed.precision.diagonal()[: len(versions)]
        links = self.mode_search.curved[np.maximum(versions, self.before), np.minimum(versions, self.before)]
        return own, links - precision_of(width)


def random_gradient_of(layout: RatingParameterLayout) -> float:
    """Estimate the Euclidean norm of the gradient of the log likelihood at the true strengths.

    The gradient is not 0 there, because match results are random.
    """
    # A rough fit need not reduce the gradient far below it. Estimate: the square root of the number of seats played.
    return math.sqrt(sum(portion.terms[0].size for portion in layout.portions))
