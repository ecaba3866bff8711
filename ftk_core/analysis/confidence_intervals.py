"""95% confidence intervals of means from few observations."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev

Z_95_PERCENT = NormalDist().inv_cdf(0.975)
_T_95_PERCENT = (12.706, 4.303, 3.182, 2.776)
# for 1 to 4 degrees of freedom, where the series below is not exact enough


def share_interval(mean: float, error: float | None, samples: int) -> tuple[float, float]:
    """Return a 95% interval for the mean of `samples` independent shares (values from 0 to 1).

    `error` is the standard error of the mean. The interval is (0, 1) if `error` is None or `samples` is less than 2.
    """
    # As if two more samples were 1 and two were 0: after a few equal results, the interval would otherwise have no
    # width (Agresti and Coull 1998).
    if error is None or samples < 2:
        return 0.0, 1.0
    squares = (samples - 1) * samples * error**2 + samples * mean**2 + 2
    count, middle = samples + 4, (samples * mean + 2) / (samples + 4)
    variance = max(0.0, squares - count * middle**2) / (count - 1)
    margin = Z_95_PERCENT * sqrt(variance / count)
    return max(0.0, min(mean, middle - margin)), min(1.0, max(mean, middle + margin))


def mean_margin(samples: Sequence[float]) -> float:
    """Return the half-width of the 95% interval of the mean of two or more numbers, by Student's t-distribution."""
    return t_quantile(len(samples) - 1) * stdev(samples) / sqrt(len(samples))


def t_quantile(degrees_of_freedom: int) -> float:
    """Return the 97.5% quantile of Student's t-distribution, to three digits.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    if degrees_of_freedom <= len(_T_95_PERCENT):
        return _T_95_PERCENT[degrees_of_freedom - 1]
    z, d = Z_95_PERCENT, degrees_of_freedom
    first = (z**3 + z) / (4 * d)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * d**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * d**3)
    return z + first + second + third


def margin_of_calibrated_mean(
    means: Sequence[float], uncertainties: Sequence[Sequence[tuple[float, ...]]]
) -> float | None:
    """Return the half-width of the 95% interval of a mean over matches, or None if some uncertainties are unknown.

    `means` has the mean of a bot's seats in each match. `uncertainties` has, for each of these seats, the signed
    uncertainty by the calibration for each part of a match; it is empty if unknown. The interval of a single match
    contains only these.
    """
    # The calibration is the same in all matches, so more matches do not reduce its uncertainty. Its errors in different
    # parts of a match do not depend on each other.
    if not all(seat for seats in uncertainties for seat in seats):
        return None
    by_match = [[fmean(part) for part in zip(*seats, strict=True)] for seats in uncertainties]
    calibration = sum(abs(fmean(part)) for part in zip(*by_match, strict=True))
    return calibration + (mean_margin(means) if len(means) > 1 else 0.0)
