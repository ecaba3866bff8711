"""The fit: the prior and the matches together, the proof of the digits, and what is read from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, lapack
from scipy.sparse import csr_array

from ftk_core.league.court.likelihood import Floats, Ints, slope
from ftk_core.league.court.newton import EXACT, MOST, ROUGH, curve, find_top
from ftk_core.league.court.played import Layout, Played, laid_out, with_portions

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
"""With more matches the fit begins roughly at that of every tenth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """What is believed before any match, as standard deviations in units of strength (one is 174 points)."""

    first: float = 1.0
    """Of a bot's first version around the mean."""
    later: float = 0.5
    """Of a later version around the one before it."""
    seat: float = 0.5
    role: float = 0.5
    tie: float = 3.0
    """Of the logarithm of how likely ties are; around 0."""


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
    precision: csr_array = field(repr=False)
    """The prior's,"""
    least: float
    """and its least eigenvalue, or something below it."""
    layout: Layout = field(repr=False)
    bound: float
    """No parameter is further from the exact fit than this, in points."""
    rounds: int
    """How often the gradient was taken."""
    near: Floats | None = field(default=None, repr=False)
    """The covariance at a fit to a few matches less: good enough to find the top by."""

    @cached_property
    def covariance(self) -> Floats:
        """How uncertain each parameter is, and each two together: the inverse of the curvature at the top."""
        curved = np.zeros(self.precision.shape)
        curve(self.layout.portions, self.precision, self.x, self.layout.versions, curved)
        factor, _ = cho_factor(curved.T, lower=False, overwrite_a=True, check_finite=False)
        inverse, failed = lapack.dpotri(factor, lower=0, overwrite_c=1)
        if failed:
            raise ArithmeticError(f"no errors can be told: the curvature cannot be inverted ({failed})")
        covariance: Floats = np.triu(inverse)
        covariance += np.triu(covariance, 1).T
        return covariance

    def with_more(self, played: Sequence[Played]) -> Court:
        """Return the ratings with more matches of the same versions, found from here, to the same exactness."""
        layout = with_portions(self.layout, played)
        x, near = self.x, self.covariance if self.near is None else self.near
        bound = math.inf
        gradient = slope(layout.portions[len(self.layout.portions) :], x)
        for rounds in range(1, MOST + 1):
            x = x + near @ gradient
            gradient = slope(layout.portions, x) - self.precision @ x
            bound = float(np.linalg.norm(gradient)) / self.least
            if bound <= EXACT:
                return replace(self, x=x, layout=layout, bound=bound * POINT, rounds=rounds, near=near)
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
    only saves time.
    """
    layout = laid_out(played, len(before))
    precision, least = _precision(before, layout, prior or Prior())
    x = np.zeros(layout.size) if start is None else _continued(start, before, layout)
    if start is None and sum(len(matches.versions) for matches in played) > MANY:
        x = find_top(layout.portions[::TENTH], precision, least, x, len(before), ROUGH)[0]
    x, bound, rounds = find_top(layout.portions, precision, least, x, len(before), EXACT)
    return Court(x=x, precision=precision, least=least, layout=layout, bound=bound * POINT, rounds=rounds)


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


def _precision(before: Ints, layout: Layout, prior: Prior) -> tuple[csr_array, float]:
    """Return the prior's precision, and its least eigenvalue or something below it."""
    versions = np.arange(len(before))
    later = versions[before >= 0]
    own = np.where(before < 0, _precise(prior.first), _precise(prior.later))
    diagonal = np.concatenate([own, np.zeros(layout.size - len(before))])
    np.add.at(diagonal, before[later], _precise(prior.later))
    for first, past, width in (
        (layout.versions, layout.roles, prior.seat),
        (layout.roles, layout.first_tie, prior.role),
        (layout.first_tie, layout.size, prior.tie),
    ):
        diagonal[first:past] = _precise(width)
    everyone, links = np.arange(layout.size), np.full(len(later), -_precise(prior.later))
    values = np.concatenate([diagonal, links, links])
    rows = np.concatenate([everyone, later, before[later]])
    columns = np.concatenate([everyone, before[later], later])
    return csr_array((values, (rows, columns)), shape=(layout.size, layout.size)), _least(before, prior)


def _precise(width: float) -> float:
    """Return one over the square, by operations that are exact to the last bit on every machine."""
    return 1 / (width * width)


def _least(before: Ints, prior: Prior) -> float:
    """Return a lower bound on the precision: one over the sum of the variances of the bot with the most versions."""
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
