"""The fit: the prior and the matches together, the proof of the digits, and what is read from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy

from ftk_core.league.court.beliefs import Believed, Prior, believe, precise
from ftk_core.league.court.likelihood import Floats, Ints, Portion, slope
from ftk_core.league.court.newton import EXACT, MOST, Climb, curve
from ftk_core.league.court.played import Layout, Played, laid_out, with_portions
from ftk_core.league.court.widths import rising, variances_within, widest

POINT = 400 / math.log(10)
"""Points to one unit of strength: 400 points ahead, ten to one is expected, as on the Elo ladder."""
MEAN = 1500
"""The points of the mean of all versions."""
DIGITS = 2
"""Published are so many digits behind the point; `Court.bound` proves them."""
SURE = 1.959963984540054
"""So many standard errors to each side hold 95 % of a normal distribution."""
PROVISIONAL = 100 / POINT
"""A rating whose standard error is larger than 100 points is provisional."""
MANY, TENTH = 200_000, 10
"""With more matches the fit begins near the top for every tenth."""
ROUGH, LEARNT = 0.5, 1e-5
"""How small a part of what luck makes of the gradient is left there, and where the prior is learnt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """One version's rating, in points."""

    rating: float
    low: float
    """About 95 % sure to be above this,"""
    high: float
    """and below this."""
    provisional: bool


@dataclass(frozen=True, kw_only=True)
class Court:
    """All ratings of a game."""

    x: Floats = field(repr=False)
    """Every parameter, in units of strength: what the next fit may start from."""
    prior: Prior
    """What was believed before any match: what was given, or learnt."""
    believed: Believed = field(repr=False)
    """The same of each parameter."""
    layout: Layout = field(repr=False)
    bound: float
    """No parameter is further from the exact fit than this, in points."""
    rounds: int
    """How many steps it took."""
    uphill: Floats = field(repr=False)
    """The gradient of the likelihood alone."""
    near: Floats | None = field(default=None, repr=False)
    """The covariance at a fit to a few matches less: good enough to find the top by."""

    @cached_property
    def covariance(self) -> Floats:
        """How uncertain each parameter is, and each two together: the inverse of the curvature at the top."""
        curved = np.zeros(self.believed.precision.shape)
        curve(self.layout.portions, self.believed.precision, self.x, self.layout.versions, curved)
        factor, _ = scipy.linalg.cho_factor(curved.T, lower=False, overwrite_a=True, check_finite=False)
        inverse, failed = scipy.linalg.lapack.dpotri(factor, lower=0, overwrite_c=1)
        if failed:
            raise ArithmeticError(f"no errors can be told: the curvature cannot be inverted ({failed})")
        covariance: Floats = np.triu(inverse)
        covariance += np.triu(covariance, 1).T
        return covariance

    def with_more(self, played: Sequence[Played]) -> Court:
        """Return the ratings with more matches of the same versions, found from here, to the same exactness."""
        layout = with_portions(self.layout, played)
        x, near = self.x, self.covariance if self.near is None else self.near
        uphill = self.uphill + slope(layout.portions[len(self.layout.portions) :], x)
        bound = math.inf
        for rounds in range(1, MOST + 1):
            x = x + near @ (uphill - self.believed.precision @ x)
            uphill = slope(layout.portions, x)
            bound = float(np.linalg.norm(uphill - self.believed.precision @ x)) / self.believed.least
            if bound <= EXACT:
                return replace(self, x=x, uphill=uphill, layout=layout, bound=bound * POINT, rounds=rounds, near=near)
        raise ArithmeticError(f"the fit has not come to rest in {MOST} steps: it may be {bound} off; fit anew")

    def rated(self, version: int) -> Rated:
        """Return a version's rating: what it is above or below the mean of all versions, which has `MEAN` points."""
        values, errors = self._versions
        return _rated(float(values[version]), float(errors[version]), MEAN)

    def seat(self, size: int, seat: int) -> Rated:
        """Return what a seat is worth at tables of a size, in points above the mean of its seats."""
        first = self.layout.seats[size]
        values, errors = self._within(first, first + size)
        return _rated(float(values[seat]), float(errors[seat]), 0)

    def role(self, role: int) -> Rated:
        """Return what a role is worth, in points above the mean of the roles."""
        values, errors = self._within(self.layout.roles, self.layout.first_tie)
        return _rated(float(values[role]), float(errors[role]), 0)

    @cached_property
    def _versions(self) -> tuple[Floats, Floats]:
        return self._within(0, self.layout.versions)

    def _within(self, first: int, past: int) -> tuple[Floats, Floats]:
        """Return parameters against their mean, and the standard errors of that: no match tells where the mean is."""
        values, spread = self.x[first:past], self.covariance[first:past, first:past]
        with_mean = spread.mean(axis=1)
        variance = spread.diagonal() - 2 * with_mean + with_mean.mean()
        return values - values.mean(), np.sqrt(np.maximum(0, variance))

    def superiority(self, one: int, other: int) -> float:
        """Return how likely it is that a version is stronger than another."""
        spread = self.covariance[one, one] + self.covariance[other, other] - 2 * self.covariance[one, other]
        lead = (self.x[one] - self.x[other]) / math.sqrt(2 * spread)
        return round((1 + math.erf(float(lead))) / 2, DIGITS + 2)


def _rated(value: float, error: float, mean: float) -> Rated:
    points = [round(mean + POINT * one, DIGITS) for one in (value, value - SURE * error, value + SURE * error)]
    return Rated(rating=points[0], low=points[1], high=points[2], provisional=error > PROVISIONAL)


def fit(played: Sequence[Played], before: Ints, prior: Prior | None = None, start: Floats | None = None) -> Court:
    """Return the ratings of all versions; `before` has each one's former version, or -1 for a bot's first.

    The same matches give the same digits in whatever order they come; `start`, the parameters of an earlier fit,
    only saves time. Without a prior it is the usual one, but for how much versions differ, which is learnt.
    """
    layout = laid_out(played, len(before))
    climb, usual, uphill = Climb(layout.size, len(before)), prior or Prior(), None
    x = np.zeros(layout.size) if start is None else _continued(start, before, layout)
    if start is None and sum(len(matches.versions) for matches in played) > MANY:
        x = _roughly(layout, believe(before, layout, usual), climb)
    if prior is None and bool((before >= 0).any()):
        usual, x, uphill = _learnt(layout, before, climb, x)
    believed = believe(before, layout, usual)
    top = climb.top(layout.portions, believed, x, uphill=uphill)
    return Court(
        x=top.x,
        prior=usual,
        believed=believed,
        layout=layout,
        bound=top.off * POINT,
        rounds=top.rounds,
        uphill=top.uphill,
    )


def _roughly(layout: Layout, believed: Believed, climb: Climb) -> Floats:
    """Return where to begin: near the top for some of the matches, which lies near that for all only by luck."""
    some = layout.portions[::TENTH]
    top = climb.top(some, believed, np.zeros(layout.size), ROUGH * _luck(some) / believed.least)
    climb.fresh = False
    return top.x


def _luck(portions: Sequence[Portion]) -> float:
    """Return about how long the gradient is by luck alone: the root of how often somebody sat at a table."""
    return math.sqrt(sum(portion.terms[0].size for portion in portions))


def _learnt(layout: Layout, before: Ints, climb: Climb, x: Floats) -> tuple[Prior, Floats, Floats | None]:
    """Return the prior that the matches speak for, and where to begin: a top near its own, and what is uphill there."""
    later, usual = np.flatnonzero(before >= 0), Prior()
    versions, uphill = np.arange(len(before)), None

    def rises(width: float) -> bool:
        nonlocal x, uphill
        believed = believe(before, layout, replace(usual, later=width))
        enough = LEARNT * _luck(layout.portions) / believed.least
        top = climb.top(layout.portions, believed, x, enough, uphill)
        x, uphill = top.x, top.uphill
        own = climb.curved.diagonal()[: len(before)] + believed.precision.diagonal()[: len(before)]
        links = climb.curved[np.maximum(versions, before), np.minimum(versions, before)] - precise(width)
        return rising(x[later] - x[before[later]], variances_within(own, links, before), width, usual.later)

    return replace(usual, later=widest(rises)), x, uphill


def _continued(start: Floats, before: Ints, layout: Layout) -> Floats:
    """Return where to begin: what is known of each parameter; a new version begins where the one before it was."""
    x = np.zeros(layout.size)
    known = len(start) - (layout.size - layout.versions)
    if known < 0 or known > layout.versions:
        return x
    x[:known], x[layout.versions :] = start[:known], start[known:]
    for version in range(known, layout.versions):
        x[version] = x[before[version]] if before[version] >= 0 else 0
    return x
