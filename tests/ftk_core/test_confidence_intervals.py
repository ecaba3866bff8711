"""Confidence intervals from few observations."""

from __future__ import annotations

from statistics import fmean, stdev

import pytest
from scipy import stats

from ftk_core.analysis.confidence_intervals import mean_margin, share_interval, t_quantile


@pytest.mark.parametrize(("wins", "low", "high"), [((1, 1), 0.26, 1), ((0, 0), 0, 0.74), ((1, 0) * 50, 0.40, 0.60)])
def test_the_confidence_interval_of_a_share_has_positive_width_even_if_all_results_are_equal(
    wins: tuple[int, ...], low: float, high: float
) -> None:
    error = stdev(wins) / len(wins) ** 0.5
    assert share_interval(fmean(wins), error, len(wins)) == (
        pytest.approx(low, abs=0.01),
        pytest.approx(high, abs=0.01),
    )


def test_the_confidence_interval_of_a_share_from_a_single_result_is_zero_to_one() -> None:
    assert share_interval(1.0, None, 1) == (0, 1)


@pytest.mark.parametrize("degrees", [*range(1, 31), 100, 10_000])
def test_quantiles_of_student_s_t_distribution_agree_with_scipy(degrees: int) -> None:
    assert t_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=2e-3)


def test_the_margin_of_a_mean_of_two_numbers_is_that_of_student_s_t_distribution() -> None:
    assert mean_margin([0.1, 0.3]) == pytest.approx(12.706 * 0.1, rel=1e-3)


@pytest.mark.parametrize("samples", [4, 6, 7, 12, 20])
def test_the_confidence_interval_of_a_share_of_wins_covers_the_true_chance_in_93_of_100_cases(samples: int) -> None:
    for chance in (0.3, 0.4, 0.5):
        covered = 0.0
        for wins in range(samples + 1):
            share = wins / samples
            error = (share * (1 - share) / (samples - 1)) ** 0.5
            low, high = share_interval(share, error, samples)
            covered += stats.binom.pmf(wins, samples, chance) * (low <= chance <= high)
        assert covered >= 0.925
