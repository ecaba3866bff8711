"""Bayesian fit of the strengths of all bot versions to match results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy

from ftk_core.league.court_rating.likelihood import Floats, Ints
from ftk_core.league.court_rating.match_arrays import MatchArrays, RatingParameterLayout, layout_of
from ftk_core.league.court_rating.newton_method import PosteriorModeSearch, write_curvature
from ftk_core.league.court_rating.posterior_skewness_correction import mean_shift_of
from ftk_core.league.court_rating.rating_prior_estimation import PriorEstimator, random_gradient_of
from ftk_core.league.court_rating.rating_priors import JointRatingPrior, PriorSigmas, build_parameter_prior

POINTS_PER_STRENGTH = 400 / math.log(10)
"""Points per unit of strength: 400 points ahead means odds of ten to one, as in the Elo system."""
MEAN = 1500
"""Mean rating of all bot versions, in points."""
DIGITS = 2
"""Number of published digits after the decimal point."""
STANDARD_ERRORS_95_PERCENT = 1.959963984540054
"""Number of standard errors on each side of the mean that enclose 95% of a normal distribution."""
INTERVAL_WIDENING = 1.07
"""Factor by which intervals are wider than those of a normal distribution: tails may be heavy (decision 0062)."""
PROVISIONAL_STANDARD_ERROR = 100 / POINTS_PER_STRENGTH
"""Standard error above which a rating is provisional: 100 points, in units of strength."""
SAMPLED_ABOVE_MATCHES, SAMPLE_STEP = 200_000, 10
"""A fit to more than `SAMPLED_ABOVE_MATCHES` matches starts from a rough fit to every `SAMPLE_STEP`-th portion."""
ROUGH_GRADIENT = 0.5
"""Size of the gradient, relative to its random noise, at which the rough fit to a sample stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRating:
    """Rating of a bot version, or effect of a seat or role, with its 95% interval."""

    rating: float
    low: float
    """Lower end of the 95% interval."""
    high: float
    """Upper end of the 95% interval."""
    provisional: bool
    """True if the standard error is above `PROVISIONAL_STANDARD_ERROR`."""


@dataclass(frozen=True, kw_only=True)
class BotRatingFit:
    """Ratings of all bot versions of a game, fitted to all matches."""

    x: Floats = field(repr=False)
    """All parameters in units of strength."""
    prior: PriorSigmas
    """Standard deviations of the prior, either given or learnt from the matches."""
    believed: JointRatingPrior = field(repr=False)
    """Joint prior of all parameters."""
    layout: RatingParameterLayout = field(repr=False)
    bound: float
    """Maximum distance of any parameter from the exact fit, in points."""
    rounds: int
    """Number of iterations of the fit."""
    others: Sequence[tuple[float, BotRatingFit]] = field(default=(), repr=False)
    """Fits under other likely priors, as pairs (weight relative to this fit, fit)."""

    @cached_property
    def covariance(self) -> Floats:
        """Covariance of the parameters: the inverse of the negative second derivatives of the log posterior at `x`."""
        curved = np.zeros(self.believed.precision.shape)
        write_curvature(self.layout.portions, self.believed.precision, self.x, self.layout.versions, curved)
        factor, _ = scipy.linalg.cho_factor(curved.T, lower=False, overwrite_a=True, check_finite=False)
        inverse, failed = scipy.linalg.lapack.dpotri(factor, lower=0, overwrite_c=1)
        if failed:
            raise ArithmeticError(f"no errors can be told: the curvature cannot be inverted ({failed})")
        covariance: Floats = np.triu(inverse)
        covariance += np.triu(covariance, 1).T
        return covariance

    @cached_property
    def belief(self) -> tuple[Floats, Floats]:
        """Posterior mean and covariance of the fitted parameters, averaged over the likely priors by their weights."""
        # If a bot won or lost nearly all its matches, the mean of its strength is further from the average than the
        # mode.
        weights, courts = zip((1.0, self), *self.others, strict=True)
        shares, means = np.array(weights) / sum(weights), np.array([court._mean for court in courts])
        mean: Floats = shares @ means
        covariance: Floats = np.zeros_like(self.covariance)
        for share, one, court in zip(shares, means - mean, courts, strict=True):
            covariance += share * (court.covariance + np.outer(one, one))
        return mean, covariance

    @property
    def _mean(self) -> Floats:
        shift, most = mean_shift_of(self.layout.portions, self.x, self.covariance), np.sqrt(self.covariance.diagonal())
        return self.x + np.clip(shift, -most, most)

    def rated(self, version: int) -> VersionRating:
        """Return the rating of the bot version with this index."""
        # The mean rating of all versions is `MEAN` points.
        return _ratings_of(*self._versions, version, MEAN)

    def seat(self, size: int, seat: int) -> VersionRating:
        """Return the effect of a seat, in points above the average seat.

        `size` is the number of players.
        """
        first = self.layout.seats[size]
        return _ratings_of(*self._within(first, first + size), seat, 0)

    def role(self, role: int) -> VersionRating:
        """Return the effect of a game role, in points above the mean of all roles."""
        return _ratings_of(*self._within(self.layout.roles, self.layout.first_tie), role, 0)

    @cached_property
    def _versions(self) -> tuple[Floats, Floats, Floats]:
        return self._within(0, self.layout.versions)

    def _within(self, first: int, past: int) -> tuple[Floats, Floats, Floats]:
        """Return the modes, means and standard errors of the parameters from `first` to `past` - 1, as three arrays."""
        # They are relative to the average of these parameters, because the matches depend only on differences.
        mean, covariance = self.belief
        values, means, spread = self.x[first:past], mean[first:past], covariance[first:past, first:past]
        with_mean = spread.mean(axis=1)
        variance = spread.diagonal() - 2 * with_mean + with_mean.mean()
        return values - values.mean(), means - means.mean(), np.sqrt(np.maximum(0, variance))

    def superiority(self, one: int, other: int) -> float:
        """Return the probability that bot version `one` is stronger than bot version `other`, both by index."""
        mean, covariance = self.belief
        spread = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        lead = (mean[one] - mean[other]) / math.sqrt(2 * spread)
        return round((1 + math.erf(float(lead))) / 2, DIGITS + 2)


def _ratings_of(values: Floats, means: Floats, errors: Floats, which: int, zero: float) -> VersionRating:
    value, middle, error = float(values[which]), float(means[which]), float(errors[which])
    ends = (
        min(value, middle - INTERVAL_WIDENING * STANDARD_ERRORS_95_PERCENT * error),
        max(value, middle + INTERVAL_WIDENING * STANDARD_ERRORS_95_PERCENT * error),
    )
    rating, low, high = (round(zero + POINTS_PER_STRENGTH * one, DIGITS) for one in (value, *ends))
    return VersionRating(rating=rating, low=low, high=high, provisional=error > PROVISIONAL_STANDARD_ERROR)


def fit_ratings(
    played: Sequence[MatchArrays], before: Ints, prior: PriorSigmas | None = None, start: Floats | None = None
) -> BotRatingFit:
    """Fit the ratings of all bot versions to the matches played.

    `before` holds the index of each version's predecessor, or -1. If `prior` is None, it is learnt from the matches.
    `start` holds the parameters at which the search starts; the ratings do not depend on it.
    """
    # The published digits do not depend on the order of the matches.
    layout = layout_of(played, len(before))
    mode_search, usual = PosteriorModeSearch(layout.size, len(before)), prior or PriorSigmas()
    x = np.zeros(layout.size) if start is None else start
    if start is None and sum(len(matches.versions) for matches in played) > SAMPLED_ABOVE_MATCHES:
        x = _sample_start(layout, build_parameter_prior(before, layout, usual), mode_search)
    if prior is not None:
        return _fit_exactly(layout, mode_search, prior, build_parameter_prior(before, layout, prior), x)
    best, *others = [
        (
            one.log_weight,
            _fit_exactly(layout, mode_search, one.prior, one.believed, one.top.x, one.top.likelihood_gradient),
        )
        for one in PriorEstimator(layout=layout, before=before, mode_search=mode_search, x=x).learn()
    ]
    return replace(best[1], others=[(math.exp(weight - best[0]), court) for weight, court in others])


def _fit_exactly(
    layout: RatingParameterLayout,
    mode_search: PosteriorModeSearch,
    prior: PriorSigmas,
    believed: JointRatingPrior,
    x: Floats,
    likelihood_gradient: Floats | None = None,
) -> BotRatingFit:
    """Fit the ratings under a given prior, from the starting values `x`, to within `MODE_TOLERANCE`."""
    top = mode_search.top(layout.portions, believed, x, likelihood_gradient=likelihood_gradient)
    return BotRatingFit(
        x=top.x,
        prior=prior,
        believed=believed,
        layout=layout,
        bound=top.off * POINTS_PER_STRENGTH,
        rounds=top.rounds,
    )


def _sample_start(
    layout: RatingParameterLayout, believed: JointRatingPrior, mode_search: PosteriorModeSearch
) -> Floats:
    """Return starting values for a fit, quickly found from a tenth of the matches."""
    some = replace(layout, portions=layout.portions[::SAMPLE_STEP])
    tolerance = ROUGH_GRADIENT * random_gradient_of(some) / believed.least
    top = mode_search.top(some.portions, believed, np.zeros(layout.size), tolerance)
    mode_search.fresh = False
    return top.x
