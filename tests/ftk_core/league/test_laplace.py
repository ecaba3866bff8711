"""The evidence of many bots with a few matches each, against exact integrals."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from ftk_core.league.court_rating.laplace_correction import evidence_error
from ftk_core.league.court_rating.likelihood import Floats


@pytest.mark.parametrize("width", [0.5, 1.0, 2.0])
@pytest.mark.parametrize(("matches", "won"), [(4, 2), (10, 5), (10, 7)])
def test_the_computed_error_of_the_laplace_approximation_for_500_bots_agrees_with_numerical_integration(
    matches: int, won: int, width: float
) -> None:
    """All bots play only against a bot of known strength, so the integral is a product of 500 equal integrals."""
    bots = 500

    def log_posterior(x: Floats) -> float:
        return float((won * x - matches * np.logaddexp(0, x) - x * x / (2 * width * width)).sum())

    top = scipy.optimize.brentq(lambda x: won - matches / (1 + np.exp(-x)) - x / width**2, -9, 9)
    chance = 1 / (1 + np.exp(-top))
    curved = matches * chance * (1 - chance) + 1 / width**2
    highest = log_posterior(np.array([top]))
    exact = scipy.integrate.quad(lambda x: np.exp(log_posterior(np.array([x])) - highest), -12, 12)[0]
    wanted = bots * np.log(exact / np.sqrt(2 * np.pi / curved))
    found = evidence_error(log_posterior, np.full(bots, top), np.eye(bots) * np.sqrt(curved), bots)
    assert found == pytest.approx(wanted, rel=0.25, abs=0.5)


def test_fixed_parameters_do_not_contribute_to_the_error_of_the_laplace_approximation() -> None:
    def log_posterior(x: Floats) -> float:
        return float(-(x[0] ** 2) / 2 - np.exp(x[1]) + x[1])

    factor = np.eye(2)
    assert evidence_error(log_posterior, np.zeros(2), factor, 1) == 0
    assert evidence_error(log_posterior, np.zeros(2), factor, 2) != 0
