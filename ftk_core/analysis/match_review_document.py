"""Summary of a match review for web pages and downloads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from gettext import gettext

import msgspec
from msgspec.structs import replace

from ftk_core.analysis.choice_evaluation import ActionValueEstimate, ChoiceEvaluation, MistakeCostEstimate
from ftk_core.analysis.match_review_facts import (
    ChoiceEvaluated,
    GamePositionEvaluated,
    ReviewClosed,
    ReviewFact,
    ReviewOpened,
)
from ftk_core.analysis.position_estimate_calibration import (
    MatchStageEstimateCalibration,
    PositionEstimateCalibration,
    reliability_of,
    unknown_reliability,
)
from ftk_core.analysis.win_share_changes import (
    CalibratedWinShareCurve,
    Exact,
    TurningPoint,
    WinShareContributions,
    account_for_share,
    find_luckiest_draw,
    list_changes,
    list_turning_points,
)
from ftk_core.games import game
from ftk_core.i18n import list_languages
from ftk_core.match_fork import has_secrets
from ftk_core.match_state_from_log import decoder_of


class WinShareCurvePoint(msgspec.Struct, frozen=True):
    """Expected result of each player at one step of the match."""

    frame: int
    playouts: int
    """Number of playouts; 0 for the final position, whose result is known."""
    shares: tuple[Exact, ...]
    """By seat: expected share of opponents that it finishes ahead of."""
    margins: tuple[Exact, ...]
    """By seat: half-width of the interval of its share. It includes the uncertainty of the calibration."""


class ReviewedChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Choice in a reviewed match, with the expected results after it and a comparison with its alternatives."""

    frame: int
    """Number of the frame (step of the match's replay) that shows the choice."""
    until: int
    """Number of the frame that shows the last fact (event) that followed from the choice."""
    seat: int
    entry: int | None
    """Number of the choice's log entry; null for a forced choice, and in a public review."""
    shares: tuple[Exact, ...]
    """By seat: expected share of opponents that it finishes ahead of, after the choice and before the luck after it."""
    weighing: ChoiceEvaluation | None
    """Options and cost of the choice; null for a forced choice, and in a review that does not compare alternatives."""
    lowest_stake: Exact = "0"
    """Stake of the choice multiplied by the lowest slope then (`MatchStageEstimateCalibration.low`)."""


class ReviewedMistake(msgspec.Struct, frozen=True, kw_only=True):
    """One of the match's costliest choices."""

    frame: int
    entry: int
    """Number of the choice's log entry."""
    seat: int
    chosen: int
    """Menu index of the chosen item."""
    better: int
    """Menu index of the better item."""
    loss: Exact
    """Loss of expected share, from 0 to 1, of opponents beaten, compared with the better item."""
    margin: Exact
    """Half-width of the 95% interval of `loss`."""
    sure: bool
    """True if the whole interval of the calibrated loss is above 0.

    This interval contains the uncertainty of the calibration (`MatchStageEstimateCalibration.margin`).
    """


class SeatAccuracySummary(msgspec.Struct, frozen=True, kw_only=True):
    """Number, total cost and accuracy of one player's choices in a match.

    The cost of a choice is the loss of expected share of opponents beaten, compared with the best choice.
    """

    asked: int
    """Number of choices that the review compares with their alternatives; 0 in a public review, which compares none."""
    cost: Exact
    """Sum of `ChoiceEvaluation.cost` over the choices."""
    accuracy: Exact | None
    """1 minus the cost divided by the sum of `ChoiceEvaluation.stake`, from 0 to 1. Null if nothing was at stake."""
    sure: bool
    """True if the sum of the stakes is above 0 even with the lowest slopes (`MatchStageEstimateCalibration.low`)."""


class MatchReviewDocument(msgspec.Struct, frozen=True, kw_only=True):
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
    calibration: int
    """Number of matches, for each kind of bots, from which the calibration was measured; 0 if there is none."""
    curve: tuple[WinShareCurvePoint, ...]
    """Points before the deal, after the deal, and after each choice."""
    choices: tuple[ReviewedChoice, ...]
    """All choices. Choice i, from 0, leads from curve point i + 1 to point i + 2."""
    turning_points: tuple[TurningPoint, ...]
    """Turning points, largest change first."""
    luckiest: TurningPoint | None = None
    """Change by luck that gave a player most."""
    costliest: tuple[ReviewedMistake, ...] = ()
    """Choices that seem to be mistakes, sorted by the lower end of the loss's interval, largest first."""
    ledger: tuple[WinShareContributions, ...]
    """By seat: parts of its result that come from the seat, from luck and from choices."""
    play: tuple[SeatAccuracySummary, ...]
    """By seat: quality of its choices."""


def build_review_document(facts: Iterable[ReviewFact]) -> MatchReviewDocument:
    """Build the summary of a match review from all its events.

    Raises ValueError if the review is incomplete, UnknownGameError if the game is unknown.
    """
    opened, closed, values, weighed = None, False, list[GamePositionEvaluated](), list[ChoiceEvaluated]()
    for fact in facts:
        match fact:
            case ReviewOpened():
                opened = fact
            case GamePositionEvaluated():
                values.append(fact)
            case ChoiceEvaluated():
                weighed.append(fact)
            case ReviewClosed():
                closed = True
    if opened is None or not closed:
        raise ValueError(gettext("the review is not complete"))
    seats = range(len(opened.players))
    reliability = _reliability_of(opened)
    curve = CalibratedWinShareCurve.of(values, reliability)
    changes = list_changes(curve, weighed)
    choices = tuple(_choice(choice, curve, at, opened) for at, choice in enumerate(weighed, 1))
    return MatchReviewDocument(
        match=opened.match, game=opened.game, version=opened.version, build=opened.build, seal=opened.seal,
        players=opened.players, eyes=opened.eyes, policy=opened.policy, playouts=opened.playouts,
        calibration=reliability.matches, curve=tuple(_point(curve, at) for at in range(len(values))),
        choices=choices,
        turning_points=list_turning_points(changes), luckiest=find_luckiest_draw(changes),
        costliest=_list_costliest(weighed, curve),
        ledger=tuple(account_for_share(seat, curve, changes) for seat in seats),
        play=tuple(_choice_quality(seat, choices) for seat in seats),
    )  # fmt: skip


def _reliability_of(opened: ReviewOpened) -> PositionEstimateCalibration:
    """Return the calibration of a review's values, or `unknown_reliability` if none was measured for them."""
    # It was measured with the usual options and all hidden cards known. A public review of a game with secrets values
    # other positions.
    is_public = opened.eyes == "public" and has_secrets(game(opened.game, opened.version))
    find = reliability_of if opened.usual_options and not is_public else unknown_reliability
    return find(opened.game, opened.version, len(opened.players), opened.policy)


def _point(curve: CalibratedWinShareCurve, at: int) -> WinShareCurvePoint:
    point, shares, margins = curve.values[at], curve.shares(at), curve.margins(at)
    return WinShareCurvePoint(point.frame, point.value.playouts, tuple(map(str, shares)), tuple(map(str, margins)))


def _choice(choice: ChoiceEvaluated, curve: CalibratedWinShareCurve, at: int, opened: ReviewOpened) -> ReviewedChoice:
    """Return a choice for the document; `at` is the index of the curve's point before it."""
    shares = curve.shares(at, choice.value) if choice.value else curve.shares(at + 1)
    stake = Fraction(choice.weighing.stake if choice.weighing else 0)
    return ReviewedChoice(
        frame=choice.frame, until=choice.until, seat=choice.seat, entry=choice.entry,
        shares=tuple(map(str, shares)), weighing=choice.weighing and _with_sentences(choice.weighing, opened),
        lowest_stake=str(curve.reliabilities[at].low * stake),
    )  # fmt: skip


def _with_sentences(weighing: ChoiceEvaluation, opened: ReviewOpened) -> ChoiceEvaluation:
    """Return a copy of a choice's evaluation, with a sentence in each language that describes each option."""
    rules = game(opened.game, opened.version)
    phrase, decode = rules.by_hand.phrase, decoder_of(rules.actions).decode

    def sentence(option: ActionValueEstimate) -> ActionValueEstimate:
        action = decode(option.action)
        return replace(option, said={tag: phrase(action, opened.players, tag) for tag in list_languages()})

    return replace(weighing, options=tuple(map(sentence, weighing.options)))


def _list_costliest(weighed: Iterable[ChoiceEvaluated], curve: CalibratedWinShareCurve) -> tuple[ReviewedMistake, ...]:
    """Return the choices with a measured loss, the costliest first."""
    # Losses are estimates, so the order is by the lower end of their 95% intervals.
    losses = [
        (-loss.sure_share, choice.frame, choice, choice.weighing, loss, _is_sure(loss, curve.reliabilities[at]))
        for at, choice in enumerate(weighed, 1)
        if choice.weighing and (loss := _loss_of(choice.weighing)) and Fraction(loss.share) > 0
    ]
    return tuple(
        ReviewedMistake(
            frame=choice.frame, entry=choice.entry or 0, seat=choice.seat, chosen=weighing.chosen, better=loss.better,
            loss=loss.share, margin=loss.margin, sure=sure,
        )
        for *_, choice, weighing, loss, sure in sorted(losses, key=lambda one: one[:2])
    )  # fmt: skip


def _is_sure(loss: MistakeCostEstimate, reliability: MatchStageEstimateCalibration) -> bool:
    share = Fraction(loss.share)
    return reliability.slope * share > reliability.margin(share, Fraction(loss.margin))


def _loss_of(weighing: ChoiceEvaluation) -> MistakeCostEstimate | None:
    """Return the estimated loss by a choice; None if the choice does not seem to be a mistake."""
    # Reviews by an older version measured no losses. They recorded a cost, which is less exact.
    if any(option.playouts for option in weighing.options):
        return weighing.loss
    best = max(weighing.options, key=lambda option: (Fraction(option.share), -option.item))
    return MistakeCostEstimate(better=best.item, playouts=weighing.playouts, share=weighing.cost, margin=best.margin)


def _choice_quality(seat: int, choices: Sequence[ReviewedChoice]) -> SeatAccuracySummary:
    own = [(choice, choice.weighing) for choice in choices if choice.seat == seat and choice.weighing]
    cost = sum((Fraction(weighing.cost) for _, weighing in own), Fraction())
    stake = sum((Fraction(weighing.stake) for _, weighing in own), Fraction())
    accuracy = str(max(Fraction(0), min(Fraction(1), 1 - cost / stake))) if stake > 0 else None
    sure = sum(Fraction(choice.lowest_stake) for choice, _ in own) > 0
    return SeatAccuracySummary(asked=len(own), cost=str(cost), accuracy=accuracy, sure=sure)
