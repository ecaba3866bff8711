"""Newton's method for the likeliest strengths of bots, the mode of the posterior."""
# The mode is unique, because the log posterior is concave.

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from ftk_core.league.court_rating.likelihood import Floats, MatchArrayBatch, log_likelihood_gradient
from ftk_core.league.court_rating.likelihood_hessian import add_curvature
from ftk_core.league.court_rating.rating_priors import JointRatingPrior

MODE_TOLERANCE, SOLVER_TOLERANCE = 1e-9, 1e-4
"""Maximum error of any strength in the mode, and relative precision of the solution of each linear system."""
MAX_STEPS = 200
"""Maximum number of steps; usually fewer than twenty are needed."""
SLOW_STEP_RATIO = 8
"""Second derivatives are recomputed if a step does not reduce the gradient at least by this factor."""
OVERSHOOT_RATIO = 0.5
"""A step is halved if it goes too far beyond the maximum of the log posterior in its direction.

That is so if the slope in this direction at the end of the step is below ``-OVERSHOOT_RATIO`` times that at its start.
"""
MAX_STALLED_STEPS, ROUNDING_TOLERANCE = 5, 1e-6
"""A search also stops if so many steps in a row did not reduce the gradient, and the error is at most this strength.

The gradient is then as small as rounding allows, for example if a bot has a hundred versions.
"""
SINGLE_PRECISION_ABOVE_PARAMETERS = 2_000
"""Number of parameters above which second derivatives are stored as float32: inexact steps still reach the mode."""


@dataclass(frozen=True, slots=True)
class PosteriorMode:
    """Result of a search: the parameters with the highest posterior density, and how exact they are."""

    x: Floats
    off: float
    """Maximum distance of any parameter from the exact mode."""
    rounds: int
    """Number of iterations; the last one makes no step, because the gradient is small enough."""
    likelihood_gradient: Floats
    """Gradient of the log likelihood at x, without the prior."""


class PosteriorModeSearch:
    """Search for the parameters with the highest posterior density."""

    # Second derivatives take long to compute, so they are kept from one search to the next.

    def __init__(self, size: int, versions: int) -> None:
        self.versions = versions
        self.curved: NDArray[np.floating] = np.zeros(
            (size, size), np.float32 if size > SINGLE_PRECISION_ABOVE_PARAMETERS else np.float64
        )
        """Negative second derivatives of the log likelihood, without the prior, in the lower half."""
        self.fresh = False
        """True if the second derivatives are good enough for a step."""

    def top(
        self,
        portions: Sequence[MatchArrayBatch],
        prior: JointRatingPrior,
        x: Floats,
        exact: float = MODE_TOLERANCE,
        likelihood_gradient: Floats | None = None,
    ) -> PosteriorMode:
        """Find the mode of the posterior by Newton's method, starting from the parameters `x`.

        The search stops when the error is at most `exact`, in units of strength, or as small as rounding allows. Raises
        ArithmeticError if the search does not converge.
        """
        # Second derivatives take long to compute. They are kept until the steps make too little progress with them.
        former = least = math.inf
        stalled = 0
        likelihood_gradient = (
            log_likelihood_gradient(portions, x) if likelihood_gradient is None else likelihood_gradient
        )
        for rounds in range(1, MAX_STEPS + 1):
            gradient = likelihood_gradient - prior.precision @ x
            length = float(np.linalg.norm(gradient))
            stalled, least = stalled + 1 if length >= least else 0, min(least, length)
            if length / prior.least <= (max(exact, ROUNDING_TOLERANCE) if stalled >= MAX_STALLED_STEPS else exact):
                return PosteriorMode(x, length / prior.least, rounds, likelihood_gradient)
            if length > former / SLOW_STEP_RATIO or not self.fresh:
                self.update_curvature(portions, x)
            former = length
            x, likelihood_gradient = self._stepped(portions, prior, x, gradient)
        raise ArithmeticError(
            f"the fit has not come to rest in {MAX_STEPS} steps: it may be {former / prior.least} off"
        )

    def _stepped(
        self, portions: Sequence[MatchArrayBatch], prior: JointRatingPrior, x: Floats, gradient: Floats
    ) -> tuple[Floats, Floats]:
        """Return the parameters after one step, and the gradient of the log likelihood there."""
        step = self._solved(prior.precision, gradient)
        step /= max(1.0, float(np.abs(step).max()))
        ahead = float(gradient @ step)
        while True:
            likelihood_gradient = log_likelihood_gradient(portions, x + step)
            if float((likelihood_gradient - prior.precision @ (x + step)) @ step) > -OVERSHOOT_RATIO * ahead:
                return x + step, likelihood_gradient
            step, ahead = step / 2, ahead / 2

    def update_curvature(self, portions: Sequence[MatchArrayBatch], x: Floats) -> None:
        """Compute the second derivatives of the log likelihood at the parameters `x`."""
        self.curved.fill(0)
        add_curvature(portions, x, self.versions, self.curved)
        self.fresh = True

    def _solved(self, precision: scipy.sparse.csr_array, right_side: Floats) -> Floats:
        """Solve the linear system of a Newton step approximately, by conjugate gradients."""
        # The matrix is `curved` plus the prior's `precision`. The method is fast because each match involves few
        # parameters.
        symv = scipy.linalg.get_blas_funcs("symv", (self.curved,))
        scale = 1 / (self.curved.diagonal() + precision.diagonal())
        solution, left = np.zeros_like(right_side), right_side.copy()
        ahead = scale * left
        size = float(left @ ahead)
        enough = size * SOLVER_TOLERANCE**2
        while size > enough:
            image = symv(1.0, self.curved.T, ahead, lower=0) + precision @ ahead
            along = size / float(ahead @ image)
            solution += along * ahead
            left -= along * image
            near = scale * left
            size, former = float(left @ near), size
            ahead = near + size / former * ahead
        return solution


def write_curvature(
    portions: Sequence[MatchArrayBatch], precision: scipy.sparse.csr_array, x: Floats, versions: int, into: Floats
) -> None:
    """Write the log posterior's negative second derivatives into the lower half of a matrix."""
    into.fill(0)
    entries = precision.tocoo()
    into[entries.row, entries.col] = entries.data
    add_curvature(portions, x, versions, into)
