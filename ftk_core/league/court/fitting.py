"""Fit of the court rating: combine prior and matches, prove the digits, and derive the results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy

from ftk_core.league.court.beliefs import Believed, Prior, believe
from ftk_core.league.court.learning import Learner, luck_of
from ftk_core.league.court.likelihood import Floats, Ints, slope
from ftk_core.league.court.newton import EXACT, MOST, Climb, curve
from ftk_core.league.court.played import Layout, Played, laid_out, with_portions
from ftk_core.league.court.skewness import shift_of

POINT = 400 / math.log(10)
"""Points per unit of strength: 400 points ahead means odds of ten to one, as in the Elo system."""
MEAN = 1500
"""Mean of all versions, in points."""
DIGITS = 2
"""Number of published decimal digits. `Court.bound` proves them."""
SURE = 1.959963984540054
"""Number of standard errors to each side that hold 95% of a normal distribution."""
WIDER = 1.07
"""Factor that widens intervals beyond the normal ones, as strengths may have heavy tails (decision 0062)."""
PROVISIONAL = 100 / POINT
"""Limit on the standard error, 100 points, above which a rating is provisional."""
MANY, TENTH = 200_000, 10
"""With more matches than `MANY`, the fit starts near the mode for every tenth match."""
ROUGH = 0.5
"""Gradient left after that rough fit, as a fraction of its random part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """Rating of one version, in points."""

    rating: float
    low: float
    """Lower end of the 95% interval."""
    high: float
    """Upper end of the 95% interval."""
    provisional: bool


@dataclass(frozen=True, kw_only=True)
class Court:
    """All ratings of a game."""

    x: Floats = field(repr=False)
    """All parameters in units of strength. A later fit can start from them."""
    prior: Prior
    """Prior, given or learnt."""
    believed: Believed = field(repr=False)
    """Prior of each parameter."""
    layout: Layout = field(repr=False)
    bound: float
    """Maximum distance of any parameter from the exact fit, in points."""
    rounds: int
    """Number of steps of the fit."""
    uphill: Floats = field(repr=False)
    """Gradient of the likelihood alone."""
    others: Sequence[tuple[float, Court]] = field(default=(), repr=False)
    """Fits with other likely spreads of the field, each with its likelihood relative to this one."""
    near: Floats | None = field(default=None, repr=False)
    """Covariance at a fit to slightly fewer matches, good enough to find the mode."""

    @cached_property
    def covariance(self) -> Floats:
        """Covariance of the parameters: the inverse of the curvature at the mode."""
        curved = np.zeros(self.believed.precision.shape)
        curve(self.layout.portions, self.believed.precision, self.x, self.layout.versions, curved)
        factor, _ = scipy.linalg.cho_factor(curved.T, lower=False, overwrite_a=True, check_finite=False)
        inverse, failed = scipy.linalg.lapack.dpotri(factor, lower=0, overwrite_c=1)
        if failed:
            raise ArithmeticError(f"no errors can be told: the curvature cannot be inverted ({failed})")
        covariance: Floats = np.triu(inverse)
        covariance += np.triu(covariance, 1).T
        return covariance

    @cached_property
    def belief(self) -> tuple[Floats, Floats]:
        """Return mean and covariance of all parameters, averaged over all likely spreads of the field.

        The mean is more extreme than the mode if a bot won or lost nearly everything.
        """
        weights, courts = zip((1.0, self), *self.others, strict=True)
        shares, means = np.array(weights) / sum(weights), np.array([court._mean for court in courts])
        mean: Floats = shares @ means
        covariance: Floats = np.zeros_like(self.covariance)
        for share, one, court in zip(shares, means - mean, courts, strict=True):
            covariance += share * (court.covariance + np.outer(one, one))
        return mean, covariance

    @property
    def _mean(self) -> Floats:
        shift, most = shift_of(self.layout.portions, self.x, self.covariance), np.sqrt(self.covariance.diagonal())
        return self.x + np.clip(shift, -most, most)

    def with_more(self, played: Sequence[Played]) -> Court:
        """Return the ratings with additional matches of the same versions, fitted from here equally exactly.

        The prior is unchanged.
        """
        layout = with_portions(self.layout, played)
        x, near = self.x, self.covariance if self.near is None else self.near
        uphill = self.uphill + slope(layout.portions[len(self.layout.portions) :], x)
        bound = math.inf
        for rounds in range(1, MOST + 1):
            x = x + near @ (uphill - self.believed.precision @ x)
            uphill = slope(layout.portions, x)
            bound = float(np.linalg.norm(uphill - self.believed.precision @ x)) / self.believed.least
            if bound <= EXACT:
                found = replace(self, x=x, uphill=uphill, layout=layout, bound=bound * POINT, rounds=rounds, near=near)
                return replace(found, others=[(weight, other.with_more(played)) for weight, other in self.others])
        raise ArithmeticError(f"the fit has not come to rest in {MOST} steps: it may be {bound} off; fit anew")

    def rated(self, version: int) -> Rated:
        """Return a version's rating relative to the mean of all versions, which is `MEAN` points."""
        return _rated(*self._versions, version, MEAN)

    def seat(self, size: int, seat: int) -> Rated:
        """Return the effect of a seat at tables of this size, in points above the mean of the seats."""
        first = self.layout.seats[size]
        return _rated(*self._within(first, first + size), seat, 0)

    def role(self, role: int) -> Rated:
        """Return the effect of a role, in points above the mean of the roles."""
        return _rated(*self._within(self.layout.roles, self.layout.first_tie), role, 0)

    @cached_property
    def _versions(self) -> tuple[Floats, Floats, Floats]:
        return self._within(0, self.layout.versions)

    def _within(self, first: int, past: int) -> tuple[Floats, Floats, Floats]:
        """Return modes and means of parameters, relative to the mean of all of them, with their standard errors.

        Matches do not determine the mean of all, so it is subtracted.
        """
        mean, covariance = self.belief
        values, means, spread = self.x[first:past], mean[first:past], covariance[first:past, first:past]
        with_mean = spread.mean(axis=1)
        variance = spread.diagonal() - 2 * with_mean + with_mean.mean()
        return values - values.mean(), means - means.mean(), np.sqrt(np.maximum(0, variance))

    def superiority(self, one: int, other: int) -> float:
        """Return the probability that a version is stronger than another."""
        mean, covariance = self.belief
        spread = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        lead = (mean[one] - mean[other]) / math.sqrt(2 * spread)
        return round((1 + math.erf(float(lead))) / 2, DIGITS + 2)


def _rated(values: Floats, means: Floats, errors: Floats, which: int, zero: float) -> Rated:
    value, middle, error = float(values[which]), float(means[which]), float(errors[which])
    ends = min(value, middle - WIDER * SURE * error), max(value, middle + WIDER * SURE * error)
    rating, low, high = (round(zero + POINT * one, DIGITS) for one in (value, *ends))
    return Rated(rating=rating, low=low, high=high, provisional=error > PROVISIONAL)


def fit(played: Sequence[Played], before: Ints, prior: Prior | None = None, start: Floats | None = None) -> Court:
    """Fit the ratings of all versions; `before` has each version's predecessor, or -1 for a bot's first.

    The digits do not depend on the order of the matches; `start`, the parameters of an earlier fit, only saves time.
    Without a prior the default is used, with the spread of the field and the differences between versions learnt.
    """
    layout = laid_out(played, len(before))
    climb, usual = Climb(layout.size, len(before)), prior or Prior()
    x = np.zeros(layout.size) if start is None else _continued(start, before, layout)
    if start is None and sum(len(matches.versions) for matches in played) > MANY:
        x = _roughly(layout, believe(before, layout, usual), climb)
    if prior is not None:
        return _court(layout, climb, prior, believe(before, layout, prior), x)
    best, *others = [
        (one.log_weight, _court(layout, climb, one.prior, one.believed, one.top.x, one.top.uphill))
        for one in Learner(layout=layout, before=before, climb=climb, x=x).learn()
    ]
    return replace(best[1], others=[(math.exp(weight - best[0]), court) for weight, court in others])


def _court(
    layout: Layout, climb: Climb, prior: Prior, believed: Believed, x: Floats, uphill: Floats | None = None
) -> Court:
    """Return the exact fit under a prior, starting from x."""
    top = climb.top(layout.portions, believed, x, uphill=uphill)
    return Court(
        x=top.x,
        prior=prior,
        believed=believed,
        layout=layout,
        bound=top.off * POINT,
        rounds=top.rounds,
        uphill=top.uphill,
    )


def _roughly(layout: Layout, believed: Believed, climb: Climb) -> Floats:
    """Return a starting point: the mode for a sample of the matches, which is close to the mode for all."""
    some = replace(layout, portions=layout.portions[::TENTH])
    top = climb.top(some.portions, believed, np.zeros(layout.size), ROUGH * luck_of(some) / believed.least)
    climb.fresh = False
    return top.x


def _continued(start: Floats, before: Ints, layout: Layout) -> Floats:
    """Return a starting point from earlier parameters; a new version starts at its predecessor."""
    x = np.zeros(layout.size)
    known = len(start) - (layout.size - layout.versions)
    if known < 0 or known > layout.versions:
        return x
    x[:known], x[layout.versions :] = start[:known], start[known:]
    for version in range(known, layout.versions):
        x[version] = x[before[version]] if before[version] >= 0 else 0
    return x
