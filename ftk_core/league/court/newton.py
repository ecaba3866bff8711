"""Maximisation of the posterior by Newton's method. It is concave, so the mode is unique."""

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
"""Precision of the mode: maximum error of any strength; relative precision of each linear solve."""
MOST = 200
"""Maximum number of steps; twenty are many."""
SLOW = 8
"""Second derivatives are recomputed if a step reduces the gradient to no less than this fraction."""
OVERSHOT = 0.5
"""A step is halved if the slope along it turns to less than minus this fraction, as under a wide prior."""
WIDE = 2_000
"""With more parameters, second derivatives are stored in half the bytes: a step need not be exact."""


@dataclass(frozen=True, slots=True)
class Top:
    """Mode of the posterior."""

    x: Floats
    off: float
    """Maximum distance of any parameter from the exact mode."""
    rounds: int
    """Number of steps."""
    uphill: Floats
    """Gradient of the likelihood alone at x."""


class Climb:
    """Search for the mode. It keeps its latest second derivatives, to reuse them for similar problems."""

    def __init__(self, size: int, versions: int) -> None:
        self.versions = versions
        self.curved: NDArray[np.floating] = np.zeros((size, size), np.float32 if size > WIDE else np.float64)
        """Second derivatives of the likelihood alone, in the lower half."""
        self.fresh = False
        """True if the second derivatives are good enough for a step."""

    def top(
        self,
        portions: Sequence[Portion],
        prior: Believed,
        x: Floats,
        exact: float = EXACT,
        uphill: Floats | None = None,
    ) -> Top:
        """Return the ratings of highest posterior density, by Newton's method from x; `uphill` is the gradient at x.

        Second derivatives are recomputed only if steps with the old ones are no longer effective.
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
        """Solve with the curvature approximately, by conjugate gradients: each match involves few parameters."""
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
    """Write the curvature at x into the lower half of a matrix, which holds zeros or an earlier curvature."""
    into.fill(0)
    entries = precision.tocoo()
    into[entries.row, entries.col] = entries.data
    curvature(portions, x, versions, into)
