"""Regression of match results on the results that simulations estimate."""
# A value is a seat's expected result, from 0 to 1. The regression shows how far values must be corrected.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from msgspec.structs import replace

from ftk_core.analysis.position_estimate_calibration import (
    HALF,
    STAGES,
    EstimateCalibrationBin,
    PositionEstimateCalibration,
)

MIN_VALUES = 40
"""Minimum number of values in a tenth (0.0 to 0.1, and so on to 0.9 to 1.0) of the range of values. A tenth with fewer
values is not compared with results."""
MIN_MATCHES = 10
"""Minimum number of matches from which the values in a tenth come. A tenth of fewer matches is not compared with
results."""
CLEAR_ERRORS = 2
"""Number of standard errors by which slopes, and differences between results and values, may be too small or large."""


class CalibrationSample(NamedTuple):
    """Estimated and real result of one seat at one position of a match.

    A result is the share of the opponents behind the seat, from 0 to 1.
    """

    mix: str
    """Mix of bots at the table, one of `MIXES` in `calibration_matches`."""
    match: int
    stage: float
    """Part of the match that has been played, from 0 to 1."""
    value: float
    margin: float
    """Half the width of the 95% interval of the value."""
    result: float


def fit_reliability(
    samples: Sequence[CalibrationSample], reliability: PositionEstimateCalibration
) -> PositionEstimateCalibration:
    """Fit a correction of estimated results to samples. Return a copy of `reliability` that contains the correction."""
    # The correction is a factor for the distance of a value from 1/2. `low` and `high` limit this slope for all mixes
    # of bots, by stage of the match. `extra` widens the confidence interval of a value.
    slopes = [_range_of_slopes(samples, _weight_near(knot)) for knot in range(len(STAGES))]
    low = tuple(round(one, 3) for one, _ in slopes)
    high = tuple(round(one, 3) for _, one in slopes)
    reliability = replace(reliability, low=low, high=high)
    shortfalls = [
        abs(tenth.result - tenth.value) + CLEAR_ERRORS * tenth.error - tenth.margin
        for tenth in list_tenths(samples, reliability)
    ]
    return replace(reliability, extra=round(max([0.0, *shortfalls]), 3))


def list_tenths(
    samples: Iterable[CalibrationSample], reliability: PositionEstimateCalibration
) -> tuple[EstimateCalibrationBin, ...]:
    """Compare corrected estimates with real results, by mix of bots and by tenth of the estimate.

    The tenths are the ranges 0 to 0.1, 0.1 to 0.2, and so on. Small groups are left out.
    """
    groups = defaultdict[tuple[str, int], list[CalibrationSample]](list)
    for sample in samples:
        calibrated = calibrate(sample, reliability)
        groups[calibrated.mix, max(0, min(9, int(calibrated.value * 10)))].append(calibrated)
    return tuple(
        _summarise(mix, tenth, group)
        for (mix, tenth), group in sorted(groups.items())
        if len(group) >= MIN_VALUES and len({sample.match for sample in group}) >= MIN_MATCHES
    )


def calibrate(sample: CalibrationSample, reliability: PositionEstimateCalibration) -> CalibrationSample:
    """Return a copy of a sample with its estimated value and interval corrected by a fitted calibration."""
    at_stage, value = reliability.at(Fraction(round(sample.stage * 1000), 1000)), Fraction(sample.value)
    margin = at_stage.margin(value - HALF, Fraction(sample.margin))
    return sample._replace(value=float(at_stage.share(value)), margin=float(margin))


def _summarise(mix: str, tenth: int, group: Sequence[CalibrationSample]) -> EstimateCalibrationBin:
    count, matches = len(group), defaultdict[int, list[float]](list)
    result = sum(sample.result for sample in group) / count
    for sample in group:
        matches[sample.match].append(sample.result - result)
    error = sqrt(sum(sum(deviations) ** 2 for deviations in matches.values())) / count
    return EstimateCalibrationBin(
        mix=mix, tenth=tenth, values=count, matches=len(matches),
        value=round(sum(sample.value for sample in group) / count, 4),
        margin=round(sum(sample.margin for sample in group) / count, 4),
        result=round(result, 4), error=round(error, 4),
    )  # fmt: skip


def _range_of_slopes(samples: Sequence[CalibrationSample], weight: Callable[[float], float]) -> tuple[float, float]:
    """Return the range (low, high) that contains each mix's slope plus and minus two standard errors."""
    # A slope below 0 means that values do not predict results. How far below does not matter, so the range is cut.
    ranges = []
    for mix in sorted({sample.mix for sample in samples}):
        slope, error = _measure_slope([sample for sample in samples if sample.mix == mix], weight)
        ranges.append((slope - CLEAR_ERRORS * error, slope + CLEAR_ERRORS * error))
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    return max(low, -abs(high)), max(high, 0.0)


def _measure_slope(samples: Iterable[CalibrationSample], weight: Callable[[float], float]) -> tuple[float, float]:
    """Return slope and standard error of the line through (1/2, 1/2) that best predicts results."""
    # The standard error is clustered by match, because the samples of one match are not independent.
    sums = defaultdict[int, list[float]](lambda: [0.0, 0.0])
    for sample in samples:
        share = weight(sample.stage)
        sums[sample.match][0] += share * (sample.value - 0.5) * (sample.result - 0.5)
        sums[sample.match][1] += share * (sample.value - 0.5) ** 2
    above, below = (sum(pair[side] for pair in sums.values()) for side in (0, 1))
    if not below:
        return 0.5, 0.25
    slope = above / below
    return slope, sqrt(sum((product - slope * square) ** 2 for product, square in sums.values())) / below


def _weight_near(knot: int) -> Callable[[float], float]:
    """Return a function from the stage of a sample to its weight. The stage is the share of the match that is played.

    The weight is 1 at ``STAGES[knot]``. It falls linearly to 0 at the previous and at the next entry of `STAGES`.
    """
    stages = list(map(float, STAGES))

    def weight(stage: float) -> float:
        if stage == stages[knot]:
            return 1.0
        other = knot + 1 if stage > stages[knot] else knot - 1
        return max(0.0, 1 - (stage - stages[knot]) / (stages[other] - stages[knot]))

    return weight
