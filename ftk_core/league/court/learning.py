"""Empirical prior: learn the spread of the field and the differences between versions from the matches."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from ftk_core.league.court.beliefs import Believed, Prior, believe, precise
from ftk_core.league.court.laplace import evidence_error
from ftk_core.league.court.likelihood import Floats, Ints, log_likelihood
from ftk_core.league.court.newton import EXACT, Climb, Top, curve
from ftk_core.league.court.played import Layout
from ftk_core.league.court.spread import weigh
from ftk_core.league.court.widths import pivots, rising, variances_within, widest

LEARNT = 1e-5
"""Gradient left when learning the prior, as a fraction of its random part."""
WHOLE = 500
"""With more versions the determinant is computed bot by bot, and only the likeliest spread is used."""

FEW_VERSIONS, OFTEN = 100, 100
"""With at least this many matches per version, or fewer versions, Laplace's approximation is less than a nat off."""


@dataclass(frozen=True, slots=True)
class Likely:
    """Candidate prior with its likelihood."""

    prior: Prior
    believed: Believed
    top: Top
    log_weight: float


@dataclass(slots=True, kw_only=True)
class Learner:
    """Sequence of fits that learns a prior. Each starts where the previous one ended."""

    layout: Layout
    before: Ints
    climb: Climb
    x: Floats
    uphill: Floats | None = None

    def learn(self) -> list[Likely]:
        """Return the likely priors given these matches, the likeliest first."""
        usual = Prior()
        prior = self._with_width(usual)
        found = self._by_spread(prior)
        if found[0].prior.first != usual.first and (learnt := self._with_width(found[0].prior)) != found[0].prior:
            found = self._by_spread(replace(learnt, first=usual.first))
        return found if self.layout.versions <= WHOLE else found[:1]

    def _climb(self, prior: Prior) -> tuple[Believed, Top]:
        believed = believe(self.before, self.layout, prior)
        small = self.layout.versions <= WHOLE  # there the weights of spreads affect interval digits
        enough = EXACT if small else LEARNT * luck_of(self.layout) / believed.least
        top = self.climb.top(self.layout.portions, believed, self.x, enough, self.uphill)
        self.x, self.uphill = top.x, top.uphill
        return believed, top

    def _with_width(self, prior: Prior) -> Prior:
        """Return the prior with the learnt width between versions, if any bot has two versions."""
        later = np.flatnonzero(self.before >= 0)
        if not len(later):
            return prior

        def rises(width: float) -> bool:
            believed, top = self._climb(replace(prior, later=width))
            own, links = self._curvature(believed, width)
            differences = top.x[later] - top.x[self.before[later]]
            return rising(differences, variances_within(own, links, self.before), width, Prior().later)

        return replace(prior, later=widest(rises))

    def _by_spread(self, prior: Prior) -> list[Likely]:
        """Return the prior with each likely spread, the likeliest first."""
        tried = dict[float, Likely]()

        def evidence(spread: float) -> float:
            one = replace(prior, first=spread)
            believed, top = self._climb(one)
            value = self._log_posterior(believed, top.x) - int((self.before < 0).sum()) * math.log(spread)
            value += self._normal_evidence(believed, top, one)
            tried[spread] = Likely(one, believed, top, value)
            return value

        weights = weigh(evidence, prior.first)
        likely = [replace(tried[spread], log_weight=weight) for spread, weight in weights.items()]
        return sorted(likely, key=lambda one: -one.log_weight)

    def _log_posterior(self, believed: Believed, x: Floats) -> float:
        return log_likelihood(self.layout.portions, x) - float(x @ (believed.precision @ x)) / 2

    def _normal_evidence(self, believed: Believed, top: Top, prior: Prior) -> float:
        """Return the log volume of the normal at the mode, up to a constant, corrected if bots played little."""
        if self.layout.versions > WHOLE:
            own, links = self._curvature(believed, prior.later)
            return -float(np.log(pivots(own, links, self.before)).sum()) / 2
        curved = np.zeros(believed.precision.shape)
        curve(self.layout.portions, believed.precision, top.x, self.layout.versions, curved)
        factor = scipy.linalg.cholesky(curved, lower=True)
        volume = -float(np.log(factor.diagonal()).sum())
        versions = self.layout.versions
        if versions < FEW_VERSIONS or luck_of(self.layout) ** 2 > OFTEN * versions:
            return volume
        return volume + evidence_error(lambda x: self._log_posterior(believed, x), top.x, factor, versions)

    def _curvature(self, believed: Believed, width: float) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """Return each version's own curvature, and its mixed curvature with its predecessor."""
        versions = np.arange(len(self.before))
        own = self.climb.curved.diagonal()[: len(versions)] + believed.precision.diagonal()[: len(versions)]
        links = self.climb.curved[np.maximum(versions, self.before), np.minimum(versions, self.before)]
        return own, links - precise(width)


def luck_of(layout: Layout) -> float:
    """Return the approximate random part of the gradient: the root of the number of seats taken."""
    return math.sqrt(sum(portion.terms[0].size for portion in layout.portions))
