"""The prior that the matches speak for: how wide the field is, and how much versions differ."""

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
"""How small a part of what luck makes of the gradient is left where the prior is learnt."""
WHOLE = 500
"""With more versions the determinant is taken bot by bot, and the likeliest spread alone is used."""

FEW_VERSIONS, OFTEN = 100, 100
"""With fewer versions, or more matches a version, Laplace's approximation is less than a nat off."""


@dataclass(frozen=True, slots=True)
class Likely:
    """A prior that may be the true one."""

    prior: Prior
    believed: Believed
    top: Top
    log_weight: float


@dataclass(slots=True, kw_only=True)
class Learner:
    """The fits that a prior is learnt from, each begun where the last one ended."""

    layout: Layout
    before: Ints
    climb: Climb
    x: Floats
    uphill: Floats | None = None

    def learn(self) -> list[Likely]:
        """Return the priors that are likely by these matches, the likeliest first."""
        usual = Prior()
        prior = self._with_width(usual)
        found = self._by_spread(prior)
        if found[0].prior.first != usual.first and (learnt := self._with_width(found[0].prior)) != found[0].prior:
            found = self._by_spread(replace(learnt, first=usual.first))
        return found if self.layout.versions <= WHOLE else found[:1]

    def _climb(self, prior: Prior) -> tuple[Believed, Top]:
        believed = believe(self.before, self.layout, prior)
        small = self.layout.versions <= WHOLE  # there the weights of spreads have a part in the digits of intervals
        enough = EXACT if small else LEARNT * luck_of(self.layout) / believed.least
        top = self.climb.top(self.layout.portions, believed, self.x, enough, self.uphill)
        self.x, self.uphill = top.x, top.uphill
        return believed, top

    def _with_width(self, prior: Prior) -> Prior:
        """Return a prior with the width between versions that the matches speak for, if any bot has two versions."""
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
        """Return the log volume of the normal around the top, up to a constant, corrected where bots played little."""
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
        """Return each version's own curvature, and that with the one before it."""
        versions = np.arange(len(self.before))
        own = self.climb.curved.diagonal()[: len(versions)] + believed.precision.diagonal()[: len(versions)]
        links = self.climb.curved[np.maximum(versions, self.before), np.minimum(versions, self.before)]
        return own, links - precise(width)


def luck_of(layout: Layout) -> float:
    """Return about how long the gradient is by luck alone: the root of how often somebody sat at a table."""
    return math.sqrt(sum(portion.terms[0].size for portion in layout.portions))
