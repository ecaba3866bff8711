"""Changes of each player's expected result during a match.

Win share: the share of opponents that a player is expected to finish ahead of.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, Self

import msgspec

from ftk_core.analysis.match_review_facts import ChoiceEvaluated, GamePositionEvaluated
from ftk_core.analysis.position_estimate_calibration import (
    HALF,
    STAGES,
    MatchStageEstimateCalibration,
    PositionEstimateCalibration,
    stage_reliabilities,
)
from ftk_core.analysis.position_estimates import PositionEstimate, round_up_root

MAX_TURNING_POINTS = 10
SwingCause = Literal["deal", "chance", "own", "other"]
"""Cause of a change in a seat's expected share: the deal, later luck, its own choice, or another seat's choice."""
Exact = str
"""Exact fraction as text: ``n/d`` or ``n``."""


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One of the largest changes of a player's expected result in a match."""

    frame: int
    seat: int
    """Seat whose share changed."""
    swing: Exact
    """Change of the share; positive if it grew."""
    margin: Exact
    """Half-width of the 95% interval of `swing`, with the uncertainty of the calibration."""
    sure: bool
    """True if the whole interval of `swing` is on one side of 0."""
    by: SwingCause
    of: int | None
    """Seat whose choice caused the change; null for luck."""


class WinShareContributions(msgspec.Struct, frozen=True, kw_only=True):
    """Explanation of a player's result: contributions of the seat's advantage, of luck and of choices.

    All contributions add up to `share` minus 1/2.
    """

    share: Exact
    """Final share."""
    seat: Exact
    """Amount that comes from sitting in this seat."""
    deal: Exact
    """Amount that comes from the deal."""
    chance: Exact
    """Amount that comes from all luck after the deal."""
    choices: tuple[Exact, ...]
    """By seat: amount that comes from the choices of that seat."""
    unexplained: Exact
    """Rest that comes from no event: the calibration of the estimates changes during the match."""
    luck_uncertainties: tuple[Exact, ...] = ()
    """Uncertainty of `seat` + `deal` + `chance` by the calibration, for each part of the match between two `STAGES`.

    Each is signed: with the most extreme slopes in this part, the luck in it is greater by this amount. The slopes of
    different parts do not depend on each other, so the absolute values add up. The slopes are the same in all matches,
    so the mean over many matches is as uncertain.
    """


class WinShareChange(msgspec.Struct, frozen=True, kw_only=True):
    """Change of all players' expected results by one choice, or by luck."""

    frame: int
    part: int
    """Part of the match, from 0: the interval between two `STAGES`, in which the change lies."""
    of: int | None
    """Seat whose choice caused the change; None for luck."""
    deal: bool = False
    given: tuple[Fraction, ...]
    """By seat: change of its calibrated share."""
    margins: tuple[Fraction, ...]
    """By seat: half-width of the 95% interval of `given`, with the uncertainty of the calibration."""
    uncertainties: tuple[Fraction, ...]
    """By seat: amount by which `given` is greater with the most extreme slope of the calibration."""


class CalibratedWinShareCurve(msgspec.Struct, frozen=True, kw_only=True):
    """Expected results at all positions of a match, each with its calibration."""

    values: tuple[GamePositionEvaluated, ...]
    reliabilities: tuple[MatchStageEstimateCalibration, ...]

    @classmethod
    def of(cls, values: Sequence[GamePositionEvaluated], reliability: PositionEstimateCalibration) -> Self:
        """Build the curve from the estimates of a review. `reliability` is the calibration of the game's estimates."""
        finished = [not valued.value.playouts for valued in values]
        return cls(values=tuple(values), reliabilities=tuple(stage_reliabilities(reliability, finished)))

    def shares(self, at: int, value: PositionEstimate | None = None) -> tuple[Fraction, ...]:
        """Return each player's calibrated win share at point `at` of the curve.

        The function calibrates the estimate `value` or, by default, the curve's estimate at this point.
        """
        return tuple(map(self.reliabilities[at].share, (value or self.values[at].value).shares))

    def margins(self, at: int) -> tuple[Fraction, ...]:
        """Return the half-width of the 95% interval of each player's calibrated win share."""
        value, reliability = self.values[at].value, self.reliabilities[at]
        if not value.playouts:
            return value.margins
        return tuple(
            reliability.margin(share - HALF, margin) for share, margin in zip(value.shares, value.margins, strict=True)
        )

    def change(self, at: int, before: PositionEstimate, after: PositionEstimate, **cause: Any) -> WinShareChange:
        """Return the change of the calibrated win shares from the estimate `before` to the estimate `after`.

        `cause` holds the fields of `WinShareChange` that describe the cause: `frame`, `of` and `deal`.
        """
        # Both estimates get the calibration of point `at`.
        progress = Fraction(at, max(1, len(self.values) - 1))
        part = max(0, bisect_left(STAGES, progress) - 1)
        reliability, given, margins, uncertainties = self.reliabilities[at], [], [], []
        by_seat = zip(before.shares, after.shares, before.margins, after.margins, strict=True)
        for one, other, margin, other_margin in by_seat:
            (a, b), (c, d) = margin.as_integer_ratio(), other_margin.as_integer_ratio()
            distance = other - one
            given.append(reliability.slope * distance)
            margins.append(reliability.margin(distance, round_up_root((a * d) ** 2 + (c * b) ** 2, (b * d) ** 2)))
            uncertainties.append(reliability.slope_uncertainty * distance)
        return WinShareChange(
            part=part, given=tuple(given), margins=tuple(margins), uncertainties=tuple(uncertainties), **cause
        )  # fmt: skip


def list_changes(curve: CalibratedWinShareCurve, weighed: Sequence[ChoiceEvaluated]) -> list[WinShareChange]:
    """Return how the deal and each choice changed the win shares of all players, in the order of the match.

    A player's win share is the expected share of opponents that finish behind it.
    """
    values = [valued.value for valued in curve.values]
    changes = [curve.change(0, values[0], values[1], frame=curve.values[1].frame, of=None, deal=True)]
    for at, choice in enumerate(weighed, 1):
        middle = choice.value or values[at + 1]
        changes.append(curve.change(at, values[at], middle, frame=choice.frame, of=choice.seat))
        if choice.value is not None:
            changes.append(curve.change(at, middle, values[at + 1], frame=choice.until, of=None))
    return changes


def list_turning_points(changes: Sequence[WinShareChange]) -> tuple[TurningPoint, ...]:
    """Return the largest changes as turning points, largest first."""
    # Each turning point describes the seat that the change affected most.
    candidates = []
    for change in changes:
        seat = max(range(len(change.given)), key=lambda seat: (abs(change.given[seat]), -seat))
        if change.given[seat]:
            candidates.append((-abs(change.given[seat]), change.frame, _make_turning_point(change, seat)))
    return tuple(point for *_, point in sorted(candidates, key=lambda candidate: candidate[:2])[:MAX_TURNING_POINTS])


def find_luckiest_draw(changes: Sequence[WinShareChange]) -> TurningPoint | None:
    """Return the change by luck that gave a player most, the earliest of equal ones; None if luck gave nothing."""
    draws = [(gift, change, seat) for change in changes if change.of is None for seat, gift in enumerate(change.given)]
    gift, change, seat = max(draws, key=lambda draw: draw[0])
    return _make_turning_point(change, seat) if gift > 0 else None


def _make_turning_point(change: WinShareChange, seat: int) -> TurningPoint:
    by: SwingCause = "deal" if change.deal else "chance" if change.of is None else "other"
    by = "own" if change.of == seat else by
    swing, margin = change.given[seat], change.margins[seat]
    return TurningPoint(
        frame=change.frame, seat=seat, swing=str(swing), margin=str(margin), sure=abs(swing) > margin, by=by,
        of=change.of,
    )  # fmt: skip


def account_for_share(
    seat: int, curve: CalibratedWinShareCurve, changes: Sequence[WinShareChange]
) -> WinShareContributions:
    """Explain a seat's final result by its causes (see `WinShareContributions`)."""
    share, sitting = curve.shares(len(curve.values) - 1)[seat], curve.shares(0)[seat] - HALF
    deal = sum((change.given[seat] for change in changes if change.deal), Fraction())
    chance = sum((change.given[seat] for change in changes if change.of is None and not change.deal), Fraction())
    luck = [Fraction()] * (len(STAGES) - 1)
    luck[0] = curve.reliabilities[0].slope_uncertainty * (curve.values[0].value.shares[seat] - HALF)
    for change in changes:
        luck[change.part] += change.uncertainties[seat] if change.of is None else 0
    seats = range(len(curve.values[0].value.shares))
    choices = [sum((change.given[seat] for change in changes if change.of == by), Fraction()) for by in seats]
    rest = share - HALF - sitting - deal - chance - sum(choices)
    return WinShareContributions(
        share=str(share), seat=str(sitting), deal=str(deal), chance=str(chance), choices=tuple(map(str, choices)),
        unexplained=str(rest), luck_uncertainties=tuple(map(str, luck)),
    )  # fmt: skip
