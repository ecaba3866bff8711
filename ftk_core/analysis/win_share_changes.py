"""Changes of the seats' expected shares in a review: turning points, and the sources of each seat's final share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from ftk_core.analysis.position_estimates import Estimate
from ftk_core.analysis.review_facts import ChoiceEvaluated, PositionEvaluated

MAX_TURNING_POINTS = 10
SwingCause = Literal["deal", "chance", "own", "other"]
"""Cause of a change in a seat's expected share: the deal, later luck, its own choice, or another seat's choice."""
Exact = str
"""Exact fraction as text: ``n/d`` or ``n``."""


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One of the match's largest changes of a seat's expected share."""

    frame: int
    seat: int
    """Seat whose share changed."""
    swing: Exact
    by: SwingCause
    of: int | None
    """Seat whose choice caused the change; null for luck."""


class WinShareBreakdown(msgspec.Struct, frozen=True, kw_only=True):
    """Sources of a seat's final share of opponents behind it. All other amounts and 1/2 add up to `share`."""

    share: Exact
    """Final share."""
    seat: Exact
    """Amount that comes from sitting in this seat."""
    deal: Exact
    chance: Exact
    """Amount that comes from all luck after the deal."""
    choices: tuple[Exact, ...]
    """By seat: amount that comes from the choices of that seat."""


class WinShareChange(msgspec.Struct, frozen=True, kw_only=True):
    """Change of all seats' shares by one choice or by luck."""

    frame: int
    of: int | None
    """Seat whose choice caused the change; None for luck."""
    deal: bool = False
    given: tuple[Fraction, ...]
    """By seat: change of its share."""


def list_changes(values: Sequence[PositionEvaluated], weighed: Sequence[ChoiceEvaluated]) -> list[WinShareChange]:
    """Return the changes by the deal, by each choice and by the luck after it, in order."""
    bare, dealt = values[0].value, values[1].value
    changes = [WinShareChange(frame=values[1].frame, of=None, deal=True, given=_difference_of_shares(bare, dealt))]
    for choice, before, behind in zip(weighed, values[1:], values[2:], strict=False):
        middle = choice.value or behind.value
        changes.append(
            WinShareChange(frame=choice.frame, of=choice.seat, given=_difference_of_shares(before.value, middle))
        )
        if choice.value is not None:
            changes.append(
                WinShareChange(frame=choice.until, of=None, given=_difference_of_shares(middle, behind.value))
            )
    return changes


def _difference_of_shares(one: Estimate, other: Estimate) -> tuple[Fraction, ...]:
    return tuple(after - before for before, after in zip(one.shares, other.shares, strict=True))


def list_turning_points(changes: Sequence[WinShareChange]) -> tuple[TurningPoint, ...]:
    """Return the largest changes as turning points, largest first, each for the seat that it affected most."""
    candidates = []
    for change in changes:
        seat = max(range(len(change.given)), key=lambda seat: (abs(change.given[seat]), -seat))
        by: SwingCause = "deal" if change.deal else "chance" if change.of is None else "other"
        by = "own" if change.of == seat else by
        swing = change.given[seat]
        if swing:
            point = TurningPoint(frame=change.frame, seat=seat, swing=str(swing), by=by, of=change.of)
            candidates.append((-abs(swing), change.frame, point))
    return tuple(point for *_, point in sorted(candidates, key=lambda candidate: candidate[:2])[:MAX_TURNING_POINTS])


def account_for_share(
    seat: int, values: Sequence[PositionEvaluated], changes: Sequence[WinShareChange]
) -> WinShareBreakdown:
    """Add up the changes of one seat's share by source. Together with 1/2 they give its final share exactly."""
    deal = sum((change.given[seat] for change in changes if change.deal), Fraction())
    chance = sum((change.given[seat] for change in changes if change.of is None and not change.deal), Fraction())
    seats = range(len(values[0].value.shares))
    choices = (sum((change.given[seat] for change in changes if change.of == by), Fraction()) for by in seats)
    return WinShareBreakdown(
        share=str(values[-1].value.shares[seat]), seat=str(values[0].value.shares[seat] - Fraction(1, 2)),
        deal=str(deal), chance=str(chance), choices=tuple(map(str, choices)),
    )  # fmt: skip
