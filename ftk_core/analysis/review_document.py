"""Document that summarises a match review: curve, choices, turning points, accuracy, and sources of shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from gettext import gettext
from typing import Literal

import msgspec
from msgspec.structs import replace

from ftk_core.analysis.match_review import ChoiceEvaluated, PositionEvaluated, ReviewClosed, ReviewFact, ReviewOpened
from ftk_core.analysis.menu_item_values import ChoiceEvaluation, EstimatedMenuItem
from ftk_core.analysis.position_estimates import Estimate
from ftk_core.games import game
from ftk_core.i18n import LANGUAGES
from ftk_core.match_fold import decoder_of

MAX_TURNING_POINTS = 10
SwingCause = Literal["deal", "chance", "own", "other"]
"""Cause of a change in a seat's expected share: the deal, later luck, its own choice, or another seat's choice."""
Exact = str
"""Exact fraction as text: ``n/d`` or ``n``."""


class WinShareCurvePoint(msgspec.Struct, frozen=True):
    """One point of a review's curve: the value of the position at one frame of the match's reel."""

    frame: int
    playouts: int
    """Number of playouts; 0 if the match is over."""
    shares: tuple[Exact, ...]
    """By seat: expected share of opponents that it finishes ahead of."""
    margins: tuple[Exact, ...]
    """By seat: half-width of the 95% interval of its share."""


class ReviewedChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Choice that leads from one point of the curve to the next."""

    frame: int
    """Number of the frame that shows the choice; `until` is the frame that shows the last fact that followed."""
    until: int
    seat: int
    entry: int | None
    """Number of the choice's log entry; null for a forced choice, and in a public review."""
    shares: tuple[Exact, ...]
    """By seat: expected share after the choice and before luck."""
    weighing: ChoiceEvaluation | None
    """Options and cost of the choice; null for a forced choice, and in a public review."""


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


class ChoiceQuality(msgspec.Struct, frozen=True, kw_only=True):
    """Quality of all choices of one seat."""

    asked: int
    """Number of choices; 0 in a public review, because the public does not know it."""
    cost: Exact
    """Sum of `ChoiceEvaluation.cost` over the choices."""
    accuracy: Exact | None
    """1 minus the cost divided by the sum of `ChoiceEvaluation.stake`; 1 is best. Null if nothing was at stake."""


class ReviewDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Complete review of a match as one document."""

    schema: str = "ftk.review/1"
    match: str
    game: str
    version: int
    build: str
    seal: str
    players: tuple[str, ...]
    eyes: str
    policy: str
    playouts: int
    curve: tuple[WinShareCurvePoint, ...]
    """Points before the deal, after the deal, and after each choice."""
    choices: tuple[ReviewedChoice, ...]
    """All choices. Choice i, from 0, leads from curve point i + 1 to point i + 2."""
    turning_points: tuple[TurningPoint, ...]
    """Turning points, largest change first."""
    ledger: tuple[WinShareBreakdown, ...]
    """Sources of each seat's share."""
    play: tuple[ChoiceQuality, ...]
    """Quality of each seat's choices."""


def build_review_document(facts: Iterable[ReviewFact]) -> ReviewDocument:
    """Build the document from all facts of a review.

    Raise ValueError if the review is incomplete, and UnknownGameError for unknown rules.
    """
    opened, closed, values, weighed = None, False, list[PositionEvaluated](), list[ChoiceEvaluated]()
    for fact in facts:
        match fact:
            case ReviewOpened():
                opened = fact
            case PositionEvaluated():
                values.append(fact)
            case ChoiceEvaluated():
                weighed.append(fact)
            case ReviewClosed():
                closed = True
    if opened is None or not closed:
        raise ValueError(gettext("the review is not complete"))
    seats = range(len(opened.players))
    changes = _list_changes(values, weighed)
    return ReviewDocument(
        match=opened.match, game=opened.game, version=opened.version, build=opened.build, seal=opened.seal,
        players=opened.players, eyes=opened.eyes, policy=opened.policy, playouts=opened.playouts,
        curve=tuple(_point(valued.frame, valued.value) for valued in values),
        choices=tuple(
            _choice(choice, choice.value or behind.value, opened)
            for choice, behind in zip(weighed, values[2:], strict=True)
        ),
        turning_points=_turning_points(changes),
        ledger=tuple(_account(seat, values, changes) for seat in seats),
        play=tuple(_choice_quality([c.weighing for c in weighed if c.seat == seat and c.weighing]) for seat in seats),
    )  # fmt: skip


class WinShareChange(msgspec.Struct, frozen=True, kw_only=True):
    """Change of all seats' shares by one choice or by luck."""

    frame: int
    of: int | None
    """Seat whose choice caused the change; None for luck."""
    deal: bool = False
    given: tuple[Fraction, ...]
    """By seat: change of its share."""


def _list_changes(values: Sequence[PositionEvaluated], weighed: Sequence[ChoiceEvaluated]) -> list[WinShareChange]:
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


def _point(frame: int, value: Estimate) -> WinShareCurvePoint:
    return WinShareCurvePoint(frame, value.playouts, tuple(map(str, value.shares)), tuple(map(str, value.margins)))


def _choice(choice: ChoiceEvaluated, value: Estimate, opened: ReviewOpened) -> ReviewedChoice:
    return ReviewedChoice(
        frame=choice.frame, until=choice.until, seat=choice.seat, entry=choice.entry,
        shares=tuple(map(str, value.shares)), weighing=choice.weighing and _with_sentences(choice.weighing, opened),
    )  # fmt: skip


def _with_sentences(weighing: ChoiceEvaluation, opened: ReviewOpened) -> ChoiceEvaluation:
    """Return a copy of a weighing in which a sentence in each language describes each option."""
    rules = game(opened.game, opened.version)
    phrase, decode = rules.by_hand.phrase, decoder_of(rules.actions).decode

    def sentence(option: EstimatedMenuItem) -> EstimatedMenuItem:
        action = decode(option.action)
        return replace(option, said={tag: phrase(action, opened.players, tag) for tag in LANGUAGES})

    return replace(weighing, options=tuple(map(sentence, weighing.options)))


def _turning_points(changes: Sequence[WinShareChange]) -> tuple[TurningPoint, ...]:
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


def _account(seat: int, values: Sequence[PositionEvaluated], changes: Sequence[WinShareChange]) -> WinShareBreakdown:
    """Add up the changes of one seat's share by source. Together with 1/2 they give its final share exactly."""
    deal = sum((change.given[seat] for change in changes if change.deal), Fraction())
    chance = sum((change.given[seat] for change in changes if change.of is None and not change.deal), Fraction())
    seats = range(len(values[0].value.shares))
    choices = (sum((change.given[seat] for change in changes if change.of == by), Fraction()) for by in seats)
    return WinShareBreakdown(
        share=str(values[-1].value.shares[seat]), seat=str(values[0].value.shares[seat] - Fraction(1, 2)),
        deal=str(deal), chance=str(chance), choices=tuple(map(str, choices)),
    )  # fmt: skip


def _choice_quality(weighings: Sequence[ChoiceEvaluation]) -> ChoiceQuality:
    cost = sum((Fraction(weighing.cost) for weighing in weighings), Fraction())
    stake = sum((Fraction(weighing.stake) for weighing in weighings), Fraction())
    return ChoiceQuality(asked=len(weighings), cost=str(cost), accuracy=str(1 - cost / stake) if stake > 0 else None)
