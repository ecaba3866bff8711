"""How much versions differ from the ones before them: the width of the prior between them, learnt from the matches.

It is taken from a few by the evidence, which is how likely the matches are under it (D. MacKay, Bayesian
Interpolation, 1992). Where a width w grows, the logarithm of the evidence does so by ``sum(d * d + v) / (w * w) - n``
to each e-fold, for n later versions, their differences d at the top and their variances v: it rises as long as versions
differ by more than w. The variances are taken bot by bot, as if all others' strengths were known: that moves the width
by little and costs next to nothing. What is believed of the width itself keeps it where it is usual on few matches.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.court.likelihood import Floats, Ints

WIDTHS = (0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4)
"""In units of strength: few, so that nothing but the matches' word for another one changes the digits."""
DOUBT = 1.0
"""The standard deviation of the logarithm of the width around that of the usual one."""
WIDER = 1.0
"""So many of its standard errors the width is taken wider than is likeliest: too narrow a one makes intervals untrue,
and by Laplace's approximation it comes out narrow where a version has played little."""


def widest(rises: Callable[[float], bool]) -> float:
    """Return the width up to which the evidence rises, told whether it does so at some width.

    >>> widest(lambda width: width < 0.3)
    0.35
    """
    edges = [math.sqrt(low * high) for low, high in pairwise(WIDTHS)]
    return WIDTHS[bisect_left(edges, 1, key=lambda edge: 0 if rises(edge) else 1)]


def rising(differences: Floats, variances: Floats, width: float, usual: float) -> bool:
    """Return whether a larger width is to be taken, by the later versions' differences and their variances.

    How much the slope of the evidence is luck follows from how well the matches tell each difference.
    """
    differ = float(np.sum(differences * differences + variances))
    slope = differ / (width * width) - len(differences) - math.log(width / usual) / DOUBT**2
    told = np.clip(1 - variances / (width * width), 0, 1)
    return slope + WIDER * math.sqrt(2 * float(np.sum(told * told))) > 0


def pivots(own: NDArray[np.floating], links: NDArray[np.floating], before: Ints) -> list[float]:
    """Return what elimination from the last versions to the first leaves of each one's own curvature."""
    former, ties = before.tolist(), links.tolist()
    left: list[float] = own.tolist()
    for version in range(len(former) - 1, -1, -1):
        if former[version] >= 0:
            left[former[version]] -= ties[version] ** 2 / left[version]
    return left


def variances_within(own: NDArray[np.floating], links: NDArray[np.floating], before: Ints) -> Floats:
    """Return how uncertain each later version's difference from the one before it is, by the curvature bot by bot.

    `own` is each version's curvature, `links` that with the one before it; a version comes after the one before it.
    (Elimination from the last versions to the first, and back: exact on trees.)
    """
    former, left, ties = before.tolist(), pivots(own, links, before), links.tolist()
    spread, found = [0.0] * len(former), []
    for version, parent in enumerate(former):
        spread[version] = 1 / left[version]
        if parent >= 0:
            share = ties[version] / left[version]
            spread[version] += share * share * spread[parent]
            found.append(spread[version] + spread[parent] * (1 + 2 * share))
    return np.array(found)
