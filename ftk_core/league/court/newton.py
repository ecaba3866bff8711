"""The top of the posterior, by Newton's method: it is concave, so that there is one, and every step is a safe one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from ftk_core.league.court.beliefs import Believed
from ftk_core.league.court.curvature import curvature
from ftk_core.league.court.likelihood import Floats, Portion, slope

EXACT, NEARLY = 1e-9, 1e-4
"""Newton's method goes on until no strength can be further off than this; how exactly each of its steps is solved."""
MOST = 200
"""Steps; twenty are many."""
SLOW = 8
"""Second derivatives are taken anew where a step brings the gradient to no less than this part of it."""
OVERSHOT = 0.5
"""A step is halved if the slope along it turns to less than minus this part, as it does under a wide prior."""
WIDE = 2_000
"""Second derivatives by more parameters than this are kept in half as many bytes: a step need not be exact."""


@dataclass(frozen=True, slots=True)
class Top:
    """Where the posterior is highest."""

    x: Floats
    off: float
    """No parameter is further from the exact top than this,"""
    rounds: int
    """which took so many steps."""
    uphill: Floats
    """The gradient of the likelihood alone at x."""


class Climb:
    """The way to the top, with the second derivatives that were taken last: they serve for what is like it too."""

    def __init__(self, size: int, versions: int) -> None:
        self.versions = versions
        self.curved: NDArray[np.floating] = np.zeros((size, size), np.float32 if size > WIDE else np.float64)
        """Those of the likelihood alone, in the lower half."""
        self.fresh = False
        """Whether they are worth a step."""

    def top(
        self,
        portions: Sequence[Portion],
        prior: Believed,
        x: Floats,
        exact: float = EXACT,
        uphill: Floats | None = None,
    ) -> Top:
        """Return the top for these matches, found from x, where `uphill` may be known already.

        Second derivatives are taken anew only where steps with the old ones no longer bring much.
        """
        former = math.inf
        uphill = slope(portions, x) if uphill is None else uphill
        for rounds in range(1, MOST + 1):
            gradient = uphill - prior.precision @ x
            length = float(np.linalg.norm(gradient))
            if length / prior.least <= exact:
                return Top(x, length / prior.least, rounds, uphill)
            if length > former / SLOW or not self.fresh:
                self.curved.fill(0)
                curvature(portions, x, self.versions, self.curved)
                self.fresh = True
            former = length
            step = self._solved(prior.precision, gradient)
            step /= max(1.0, float(np.abs(step).max()))
            ahead = float(gradient @ step)
            while True:
                uphill = slope(portions, x + step)
                if float((uphill - prior.precision @ (x + step)) @ step) > -OVERSHOT * ahead:
                    break
                step, ahead = step / 2, ahead / 2
            x = x + step
        raise ArithmeticError(f"the fit has not come to rest in {MOST} steps: it may be {former / prior.least} off")

    def _solved(self, precision: scipy.sparse.csr_array, wanted: Floats) -> Floats:
        """Return what the curvature makes into the vector, nearly: by conjugate gradients, as each match ties few."""
        symv = scipy.linalg.get_blas_funcs("symv", (self.curved,))
        scale = 1 / (self.curved.diagonal() + precision.diagonal())
        found, left = np.zeros_like(wanted), wanted.copy()
        ahead = scale * left
        size = float(left @ ahead)
        enough = size * NEARLY**2
        while size > enough:
            image = symv(1.0, self.curved.T, ahead, lower=0) + precision @ ahead
            along = size / float(ahead @ image)
            found += along * ahead
            left -= along * image
            near = scale * left
            size, former = float(left @ near), size
            ahead = near + size / former * ahead
        return found


def curve(
    portions: Sequence[Portion], precision: scipy.sparse.csr_array, x: Floats, versions: int, into: Floats
) -> None:
    """Write the curvature at x into the lower half of a matrix, which begins as zeros or what was written so before."""
    into.fill(0)
    entries = precision.tocoo()
    into[entries.row, entries.col] = entries.data
    curvature(portions, x, versions, into)
