"""Reliability of the values of a review: the relation between these values and the results in matches of many bots.

A value is a seat's expected share of opponents if the playouts' policy plays on. Real bots play otherwise, so that
their results lie nearer to 1/2. In matches of several kinds of bots, the slope was measured: the results' distance from
1/2 divided by the values' distance from 1/2. It depends on the stage of the match. `python -m tools.calibration.main`
measures the slopes and writes `reliability.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import ceil
from pathlib import Path

import msgspec

from ftk_core.analysis.position_estimates import MARGIN_STEPS

TABLE_FILE = Path(__file__).with_name("reliability.json")
STAGES = tuple(Fraction(number, 100) for number in (0, 25, 50, 75, 90, 100))
"""Stages of a match, from 0 to 1, at which slopes are measured; between these stages slopes are interpolated."""
SLOPE_STEPS = 1000
"""Slopes are rounded to multiples of 1/`SLOPE_STEPS`, so that fractions stay short."""
HALF = Fraction(1, 2)


class ReliabilityTenth(msgspec.Struct, frozen=True, kw_only=True):
    """Comparison of values in a tenth of the range 0 to 1 with the results, in matches not used to fit slopes."""

    mix: str
    """Kind of bots at the table, see `tools.calibration.played_matches.MIXES`."""
    tenth: int
    """0 for values below 0.1, and so on to 9."""
    values: int
    """Number of values."""
    matches: int
    """Number of matches from which the values come."""
    value: float
    """Mean value."""
    margin: float
    """Mean half-width of the values' intervals."""
    result: float
    """Mean share at the end."""
    error: float
    """Standard error of `result`. It allows for the dependence of values of the same match."""

    @property
    def holds(self) -> bool:
        """True if the mean result lies within the mean interval."""
        return abs(self.result - self.value) <= self.margin


class Reliability(msgspec.Struct, frozen=True, kw_only=True):
    """Reliability of the values of a game at one table size, estimated with one policy."""

    game: str
    version: int
    """Version of the rules."""
    seats: int
    policy: str
    matches: int
    """Number of matches of each mix. Slopes are fitted to a part of the matches; the tenths are from the rest."""
    low: tuple[float, ...]
    """By `STAGES`: lowest slope of any mix, less twice its standard error."""
    high: tuple[float, ...]
    """By `STAGES`: highest slope of any mix, plus twice its standard error."""
    extra: float = 0
    """Half-width that is added to all intervals, because slopes alone did not cover all tenths of some mix."""
    tenths: tuple[ReliabilityTenth, ...] = ()

    def at(self, stage: Fraction) -> StageReliability:
        """Return the reliability at a stage of the match, from 0 (the beginning) to 1 (the end)."""
        after = next(at for at in range(1, len(STAGES)) if stage <= STAGES[at])
        begin, end = STAGES[after - 1], STAGES[after]
        part = (stage - begin) / (end - begin)
        low, high = (
            Fraction(round((_exact(at_begin) * (1 - part) + _exact(at_end) * part) * SLOPE_STEPS), SLOPE_STEPS)
            for at_begin, at_end in (slopes[after - 1 : after + 1] for slopes in (self.low, self.high))
        )
        return StageReliability(low, high, _exact(self.extra))


class StageReliability(msgspec.Struct, frozen=True):
    """Reliability of values at one stage of a match."""

    low: Fraction
    """Lower limit of the slope."""
    high: Fraction
    """Upper limit of the slope."""
    extra: Fraction
    """Half-width added to all intervals."""

    @property
    def slope(self) -> Fraction:
        """Middle of the slope's limits, at most 1, so that a calibrated share is never outside 0 to 1."""
        return min(Fraction(1), (self.low + self.high) / 2)

    def share(self, share: Fraction) -> Fraction:
        """Return the calibrated value of an expected share: its distance from 1/2, times the fitted slope, from 1/2."""
        return HALF + self.slope * (share - HALF)

    def margin(self, distance: Fraction, margin: Fraction) -> Fraction:
        """Return the half-width of a calibrated interval: playouts' margin plus uncertainty of the slope plus `extra`.

        `distance` is the distance from 1/2 before calibration, or a difference of shares.
        """
        uncertainty = max(self.high - self.slope, self.slope - self.low)
        whole = self.slope * margin + uncertainty * abs(distance) + self.extra
        return Fraction(ceil(whole * MARGIN_STEPS), MARGIN_STEPS)


CERTAIN = StageReliability(Fraction(1), Fraction(1), Fraction(0))
"""Reliability of the value of a finished match, which is the result itself."""


def unknown_reliability(game: str, version: int, seats: int, policy: str) -> Reliability:
    """Return the reliability of values that were never compared with results: slopes from 0 to 1."""
    count = len(STAGES)
    return Reliability(
        game=game, version=version, seats=seats, policy=policy, matches=0, low=(0,) * count, high=(1,) * count
    )


def reliability_of(game: str, version: int, seats: int, policy: str) -> Reliability:
    """Return the measured reliability of a game's values, or `unknown_reliability` if it was not measured."""
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
def read_reliabilities() -> tuple[Reliability, ...]:
    """Return all measured reliabilities."""
    return msgspec.json.decode(TABLE_FILE.read_bytes(), type=tuple[Reliability, ...])


def stage_reliabilities(reliability: Reliability, finished: Sequence[bool]) -> list[StageReliability]:
    """Return the reliability at each point of a curve. `finished` is True for the points at which the match is over."""
    last = max(1, len(finished) - 1)
    return [CERTAIN if is_over else reliability.at(Fraction(at, last)) for at, is_over in enumerate(finished)]


def _exact(number: float) -> Fraction:
    return Fraction(round(number * MARGIN_STEPS), MARGIN_STEPS)
