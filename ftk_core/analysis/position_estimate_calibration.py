"""Calibration of the estimates in match reviews against actual results of bots.

An estimate is an expected share of opponents beaten. Calibration multiplies the difference between an estimate and
1/2 by a factor, the slope.
"""
# Reviews simulate matches with a simple strategy. Bots play differently: their results lie nearer to 1/2 than the
# estimates. `python -m tools.review_calibration.calibrate_reviews` measures the slopes and writes `reliability.json`.

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path

import msgspec

from ftk_core.analysis.position_estimates import MARGIN_STEPS

TABLE_FILE = Path(__file__).with_name("reliability.json")
STAGES = tuple(Fraction(number, 100) for number in (0, 25, 50, 75, 90, 100))
"""Stages of a match, from 0 to 1, at which calibration slopes are measured. In between, they are interpolated."""
SLOPE_STEPS = 1000
"""Calibration slopes are rounded to multiples of 1/`SLOPE_STEPS`, so that fractions stay short."""
HALF, ONE = Fraction(1, 2), Fraction(1)


class EstimateCalibrationBin(msgspec.Struct, frozen=True, kw_only=True):
    """Comparison of estimates with actual results, for all estimates in one interval such as 0.1 to 0.2."""

    # The estimates come from matches that were not used to fit the calibration.

    mix: str
    """Kind of bots at the table, see `tools.review_calibration.calibration_matches.MIXES`."""
    tenth: int
    """0 for estimates below 0.1, and so on to 9."""
    values: int
    """Number of estimates in this tenth."""
    matches: int
    """Number of matches from which these estimates come."""
    value: float
    """Mean calibrated estimate: expected share of opponents that a seat finishes ahead of."""
    margin: float
    """Mean half-width of the intervals of the estimates."""
    result: float
    """Mean actual result: share of opponents that the seats finished ahead of."""
    error: float
    """Standard error of `result`. It allows for the dependence of estimates of the same match."""

    @property
    def holds(self) -> bool:
        """True if the estimates are accurate: the mean actual result is within `margin` of the mean estimate."""
        return abs(self.result - self.value) <= self.margin


class PositionEstimateCalibration(msgspec.Struct, frozen=True, kw_only=True):
    """Calibration of a game's estimates for one number of players."""

    game: str
    version: int
    """Version of the rules."""
    seats: int
    policy: str
    matches: int
    """Number of matches of each mix (kind of bots).

    Slopes are fitted to some of the matches. The other matches test them; `tenths` holds the results of the test.
    """
    low: tuple[float, ...]
    """Lower limit of the slope at each of `STAGES`: the lowest slope of any kind of bots minus 2 standard errors."""
    high: tuple[float, ...]
    """Upper limit of the slope at each of `STAGES`: the highest slope of any kind of bots plus 2 standard errors."""
    extra: float = 0
    """Amount added to the half-width of every interval of an estimate; 0 if not needed.

    It makes the intervals so wide that they contain the mean result of each tenth of the values in the matches to which
    the slopes are fitted. `tenths` shows how well they hold in other matches.
    """
    tenths: tuple[EstimateCalibrationBin, ...] = ()

    def at(self, stage: Fraction) -> MatchStageEstimateCalibration:
        """Return the calibration at a stage of the match, from 0 (begin) to 1 (end)."""
        # Between two of the `STAGES`, the limits of the slope are interpolated.
        after = next(at for at in range(1, len(STAGES)) if stage <= STAGES[at])
        begin, end = STAGES[after - 1], STAGES[after]
        part = (stage - begin) / (end - begin)
        low, high = (
            Fraction(round((_exact(at_begin) * (1 - part) + _exact(at_end) * part) * SLOPE_STEPS), SLOPE_STEPS)
            for at_begin, at_end in (slopes[after - 1 : after + 1] for slopes in (self.low, self.high))
        )
        return MatchStageEstimateCalibration(low, high, _exact(self.extra))


class MatchStageEstimateCalibration(msgspec.Struct, frozen=True, dict=True):
    """Correction of the estimated win shares in one part of a match, fitted to actual results."""

    low: Fraction
    """Lowest plausible slope (correction factor)."""
    high: Fraction
    """Highest plausible slope (correction factor)."""
    extra: Fraction
    """Amount added to the half-width of every interval of an estimate."""

    @cached_property
    def slope(self) -> Fraction:
        """Factor by which the difference between an estimate and 1/2 is multiplied; at most 1."""
        return min(Fraction(1), (self.low + self.high) / 2)

    @cached_property
    def slope_uncertainty(self) -> Fraction:
        """Largest distance from `slope` to `low` or `high`."""
        return max(self.high - self.slope, self.slope - self.low)

    def share(self, share: Fraction) -> Fraction:
        """Return the calibrated value of an estimated share."""
        return HALF + self.slope * (share - HALF)

    def margin(self, distance: Fraction, margin: Fraction) -> Fraction:
        """Return the half-width of the 95% interval of a calibrated share, or of a difference between two shares.

        `distance` is the share minus 1/2, or the difference, before calibration. `margin` is the half-width before
        calibration.
        """
        # slope * margin + slope_uncertainty * |distance| + extra, in integers: a review computes thousands of them
        terms = ((self.slope, margin), (self.slope_uncertainty, abs(distance)), (self.extra, ONE))
        total, denominator = 0, 1
        for factor, value in terms:
            below = factor.denominator * value.denominator
            total, denominator = total * below + factor.numerator * value.numerator * denominator, denominator * below
        return Fraction(-(-total * MARGIN_STEPS // denominator), MARGIN_STEPS)


CERTAIN = MatchStageEstimateCalibration(Fraction(1), Fraction(1), Fraction(0))
"""Calibration that changes nothing, for a finished match: its value is the result, not an estimate."""


def unknown_reliability(game: str, version: int, seats: int, policy: str) -> PositionEstimateCalibration:
    """Return the calibration for estimates that were never compared with actual results."""
    # Nothing is known about its slope except that it lies between 0 and 1.
    count = len(STAGES)
    return PositionEstimateCalibration(
        game=game, version=version, seats=seats, policy=policy, matches=0, low=(0,) * count, high=(1,) * count
    )


def reliability_of(game: str, version: int, seats: int, policy: str) -> PositionEstimateCalibration:
    """Return the measured calibration of a game's estimates, or `unknown_reliability` if none was measured."""
    measured = next(
        (
            one
            for one in read_reliabilities()
            if (one.game, one.version, one.seats, one.policy) == (game, version, seats, policy)
        ),
        None,
    )
    return measured or unknown_reliability(game, version, seats, policy)


@cache
def read_reliabilities() -> tuple[PositionEstimateCalibration, ...]:
    """Return the measured calibrations from `reliability.json`."""
    return msgspec.json.decode(TABLE_FILE.read_bytes(), type=tuple[PositionEstimateCalibration, ...])


def stage_reliabilities(
    reliability: PositionEstimateCalibration, finished: Sequence[bool]
) -> list[MatchStageEstimateCalibration]:
    """Return the calibration for each position of a match. `finished` is True where the match is over."""
    # The value of a position at which the match is over is the actual result. It needs no calibration.
    last = max(1, len(finished) - 1)
    return [CERTAIN if is_over else reliability.at(Fraction(at, last)) for at, is_over in enumerate(finished)]


def _exact(number: float) -> Fraction:
    return Fraction(round(number * MARGIN_STEPS), MARGIN_STEPS)
