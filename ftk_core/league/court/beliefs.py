"""Prior of the court rating, and the distribution that it implies for each parameter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from ftk_core.league.court.likelihood import Ints
from ftk_core.league.court.played import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """Prior as standard deviations in units of strength (one unit is 174 points)."""

    first: float = 1.0
    """Standard deviation of a bot's first version around the mean."""
    later: float = 0.5
    """Standard deviation of a later version around its predecessor."""
    seat: float = 0.5
    role: float = 0.5
    tie: float = 3.0
    """Standard deviation, around 0, of the logarithm of the propensity to tie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Believed:
    """Prior of all parameters: a normal distribution around 0."""

    precision: scipy.sparse.csr_array
    least: float
    """Smallest eigenvalue of the precision, or a lower bound of it."""


def believe(before: Ints, layout: Layout, prior: Prior) -> Believed:
    """Return the prior of each parameter; `before` has each version's predecessor, or -1."""
    versions = np.arange(len(before))
    later = versions[before >= 0]
    own = np.where(before < 0, precise(prior.first), precise(prior.later))
    diagonal = np.concatenate([own, np.zeros(layout.size - len(before))])
    np.add.at(diagonal, before[later], precise(prior.later))
    for first, past, width in (
        (layout.versions, layout.roles, prior.seat),
        (layout.roles, layout.first_tie, prior.role),
        (layout.first_tie, layout.size, prior.tie),
    ):
        diagonal[first:past] = precise(width)
    everyone, links = np.arange(layout.size), np.full(len(later), -precise(prior.later))
    values = np.concatenate([diagonal, links, links])
    rows = np.concatenate([everyone, later, before[later]])
    columns = np.concatenate([everyone, before[later], later])
    precision = scipy.sparse.csr_array((values, (rows, columns)), shape=(layout.size, layout.size))
    return Believed(precision=precision, least=_least(before, prior))


def precise(width: float) -> float:
    """Return the inverse square, by operations that are exact to the last bit on every machine."""
    return 1 / (width * width)


def _least(before: Ints, prior: Prior) -> float:
    """Return a lower bound on the precision: the inverse sum of variances of the bot with the most versions."""
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
