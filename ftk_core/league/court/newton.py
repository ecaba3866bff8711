"""The top of the posterior, by Newton's method: it is concave, so that there is one, and every step is a safe one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.linalg.blas import dsymv
from scipy.sparse import csr_array

from ftk_core.league.court.likelihood import Floats, Portion, curvature, slope

EXACT, ROUGH, NEARLY = 1e-9, 10, 1e-4
"""Newton's method goes on until no strength can be further off than this; how exactly each of its steps is solved.

Where it is to begin for all matches is found from some, as long as `ROUGH` allows."""
MOST = 200
"""Steps; twenty are many."""
SLOW = 8
"""Second derivatives are taken anew where a step brings the gradient to no less than this part of it."""


def find_top(
    portions: Sequence[Portion], precision: csr_array, least: float, x: Floats, versions: int, exact: float
) -> tuple[Floats, float, int]:
    """Return the top, how far off it can be at most, and how many gradients it took.

    Second derivatives are taken anew only where steps with the old ones no longer bring much.
    """
    curved, former = np.zeros(precision.shape), math.inf
    for rounds in range(1, MOST + 1):
        gradient = slope(portions, x) - precision @ x
        length = float(np.linalg.norm(gradient))
        if length / least <= exact:
            return x, length / least, rounds
        if length > former / SLOW or rounds == 1:
            curve(portions, precision, x, versions, curved)
        former = length
        step = _solved(curved, gradient)
        x = x + step / max(1.0, float(np.abs(step).max()))
    raise ArithmeticError(f"the fit has not come to rest in {MOST} steps: it may be {former / least} off")


def _solved(curved: Floats, wanted: Floats) -> Floats:
    """Return what the matrix makes into the vector, nearly: conjugate gradients, as each match ties only a few."""
    scale = 1 / curved.diagonal()
    found, left = np.zeros_like(wanted), wanted.copy()
    ahead = scale * left
    size = float(left @ ahead)
    enough = size * NEARLY**2
    while size > enough:
        image = dsymv(1.0, curved.T, ahead, lower=0)
        along = size / float(ahead @ image)
        found += along * ahead
        left -= along * image
        near = scale * left
        size, former = float(left @ near), size
        ahead = near + size / former * ahead
    return found


def curve(portions: Sequence[Portion], precision: csr_array, x: Floats, versions: int, into: Floats) -> None:
    """Write the curvature at x into the lower half of a matrix, which begins as zeros or what was written so before."""
    into.fill(0)
    entries = precision.tocoo()
    into[entries.row, entries.col] = entries.data
    curvature(portions, x, versions, into)
