"""Summary of a bot's reviewed matches for its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from statistics import fmean

import msgspec

from ftk_core.analysis.choice_evaluation import ActionValueEstimate
from ftk_core.analysis.confidence_intervals import margin_of_calibrated_mean
from ftk_core.analysis.match_review_document import MatchReviewDocument, ReviewedChoice
from ftk_core.i18n import N_

PHASES = (N_("first third"), N_("second third"), N_("last third"))
"""Names of the phases of a match: three equal parts of its frames (the steps of its replay)."""
MAX_MISTAKES = 5
"""Maximum number of mistakes in a summary."""


class ChoiceCostTotals(msgspec.Struct, frozen=True):
    """Totals of a group of choices, such as all bids in a match."""

    choices: int
    cost: float
    """Sum of `ChoiceEvaluation.cost`."""
    stake: float
    """Sum of `ChoiceEvaluation.stake`."""
    lowest_stake: float | None = None
    """Sum of `ReviewedChoice.lowest_stake`; None in summaries of older releases, whose groups are not sure."""


class ChoiceGroupAccuracy(msgspec.Struct, frozen=True, kw_only=True):
    """Mean cost and accuracy of a group of a bot's choices, such as all bids."""

    name: str
    choices: int
    cost: float
    """Cost of the group's choices, summed per seat of a match and averaged over the seats.

    The cost is the loss in the expected share of opponents that the bot finishes ahead of.
    """
    accuracy: float | None
    """1 - cost / stake over all choices of the group (see `ChoiceCostTotals`); from 0 to 1. None if the stake is 0."""
    sure: bool
    """True if the sum of the stakes is above 0 even with the lowest slopes of the calibration."""


class BotMistake(msgspec.Struct, frozen=True, kw_only=True):
    """One of a bot's costliest choices."""

    match: str
    frame: int
    """Number of the frame (step of the match's replay) that shows the choice."""
    seat: int
    kind: str
    """Kind of action chosen, as in the bot protocol."""
    loss: float
    """Loss by the choice, compared with the best option found.

    It is a difference between expected shares, from 0 to 1, of opponents that the seat finishes ahead of.
    """
    margin: float
    """Half-width of the 95% interval of the loss."""
    sure: bool
    """True if the 95% interval of the loss is above 0 and the calibration confirms it (`ReviewedMistake.sure`)."""
    chosen: dict[str, str]
    """Language tag -> sentence that describes the choice."""
    better: dict[str, str]
    """Language tag -> sentence that describes the best option found."""


class SeatPlaySummary(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of one player's choices and luck in a reviewed match."""

    game: str
    match: str
    players: tuple[str, ...] = ()
    """Names by seat, which distinguish matches of the same name in two logs. Empty in summaries of older releases."""
    seat: int
    share: float
    """Share of opponents that the seat finished ahead of."""
    luck: float
    """Effect of luck on `share`: sum of the effects of sitting in this seat, of the deal, and of later chance.

    It is positive for good luck: `share` = 1/2 + `luck` + effects of all choices + unexplained rest.
    """
    luck_uncertainties: tuple[float, ...] = ()
    """Uncertainty of `luck` by the calibration (`WinShareContributions`); empty in summaries of older releases."""
    phases: dict[str, ChoiceCostTotals]
    """Name of a phase (one of `PHASES`) -> sums over the choices in the phase."""
    kinds: dict[str, ChoiceCostTotals]
    """Kind of action, as in the bot protocol -> sums over the choices of this kind."""
    mistakes: tuple[BotMistake, ...]
    """At most `MAX_MISTAKES` choices, the costliest first."""


class BotPlaySummary(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of a bot's reviewed matches of one game."""

    schema: str = "ftk.coaching/1"
    game: str
    bot: str
    matches: int
    share: float
    """Mean share of opponents that the bot finished ahead of."""
    luck: float
    """Mean effect of luck (`SeatPlaySummary.luck`) on the share. Positive for good luck."""
    luck_margin: float | None
    """Half-width of the 95% interval of `luck`: see `margin_of_calibrated_mean`."""
    phases: tuple[ChoiceGroupAccuracy, ...]
    kinds: tuple[ChoiceGroupAccuracy, ...]
    """Kinds of choices, the costliest first."""
    mistakes: tuple[BotMistake, ...]
    """Costliest choices first."""


def summarize_seat(document: MatchReviewDocument, seat: int) -> SeatPlaySummary:
    """Summarize the choices of one player from the review of a match.

    If the review used only public knowledge, the summary holds only the result and the effect of luck.
    """
    account = document.ledger[seat]
    choices = [choice for choice in document.choices if choice.seat == seat and choice.weighing]
    return SeatPlaySummary(
        game=document.game, match=document.match, players=tuple(document.players), seat=seat,
        share=float(Fraction(account.share)),
        luck=float(sum(map(Fraction, (account.seat, account.deal, account.chance)))),
        luck_uncertainties=tuple(float(Fraction(part)) for part in account.luck_uncertainties),
        phases=_add_up(choices, lambda choice: PHASES[_phase_of(document, choice)]),
        kinds=_add_up(choices, _kind_of_choice),
        mistakes=costliest_choices(document, seat, MAX_MISTAKES),
    )  # fmt: skip


def combine_summaries(summaries: Iterable[SeatPlaySummary], bot: str) -> list[BotPlaySummary]:
    """Combine a bot's match summaries into one report per game, sorted by game."""
    by_game = sorted(summaries, key=lambda summary: summary.game)
    return [_combine(list(group), game, bot) for game, group in groupby(by_game, key=lambda summary: summary.game)]


def costliest_choices(document: MatchReviewDocument, seat: int, most: int) -> tuple[BotMistake, ...]:
    """Return up to `most` mistakes of a player in a match, the costliest first."""
    # Losses are estimates, so the order is by the lower end of their 95% intervals.
    weighings = {choice.frame: choice.weighing for choice in document.choices if choice.seat == seat}
    mistakes = []
    for costly in document.costliest:
        weighing = weighings.get(costly.frame)
        if costly.seat != seat or weighing is None:
            continue
        options = {option.item: option for option in weighing.options}
        chosen = options[costly.chosen]
        mistakes.append(
            BotMistake(
                match=document.match, frame=costly.frame, seat=seat, kind=_kind_of(chosen),
                loss=float(Fraction(costly.loss)), margin=float(Fraction(costly.margin)), sure=costly.sure,
                chosen=chosen.said, better=options[costly.better].said,
            )
        )  # fmt: skip
    return tuple(sorted(mistakes, key=_order_of))[:most]


def _order_of(mistake: BotMistake) -> tuple[float, str, int]:
    # The lower end of the 95% interval of the loss, negated: the largest almost certain loss comes first.
    return mistake.margin - mistake.loss, mistake.match, mistake.frame


def _combine(summaries: Sequence[SeatPlaySummary], game: str, bot: str) -> BotPlaySummary:
    matches = _group_by_match(summaries)
    luck = [fmean(summary.luck for summary in seats) for seats in matches]
    uncertainties = [[summary.luck_uncertainties for summary in seats] for seats in matches]
    phases = _combine_groups([summary.phases for summary in summaries])
    kinds = _combine_groups([summary.kinds for summary in summaries])
    mistakes = sorted((mistake for summary in summaries for mistake in summary.mistakes), key=_order_of)
    return BotPlaySummary(
        game=game, bot=bot, matches=len(matches), luck=fmean(luck),
        share=fmean(fmean(summary.share for summary in seats) for seats in matches),
        luck_margin=margin_of_calibrated_mean(luck, uncertainties),
        phases=tuple(sorted(phases, key=lambda phase: PHASES.index(phase.name))),
        kinds=tuple(sorted(kinds, key=lambda kind: -kind.cost)), mistakes=tuple(mistakes[:MAX_MISTAKES]),
    )  # fmt: skip


def _group_by_match(summaries: Sequence[SeatPlaySummary]) -> list[list[SeatPlaySummary]]:
    """Group summaries of the same match. A bot can have several seats in a match, and their luck is correlated."""
    matches = dict[tuple[object, ...], list[SeatPlaySummary]]()
    times = Counter[tuple[object, ...]]()
    for summary in summaries:
        table = summary.match, summary.players  # two logs can have matches of the same name, even of the same players
        times[table, summary.seat] += 1
        matches.setdefault((table, times[table, summary.seat]), []).append(summary)
    return list(matches.values())


def _phase_of(document: MatchReviewDocument, choice: ReviewedChoice) -> int:
    return min(len(PHASES) - 1, len(PHASES) * choice.frame // max(1, document.curve[-1].frame))


def _kind_of(chosen: ActionValueEstimate) -> str:
    """Return the action's kind in the bot protocol, such as "bid"."""
    return str(msgspec.json.decode(chosen.action)["kind"])


def _kind_of_choice(choice: ReviewedChoice) -> str:
    weighing = choice.weighing
    options = weighing.options if weighing else ()
    return next((_kind_of(option) for option in options if weighing and option.item == weighing.chosen), "")


def _add_up(choices: Sequence[ReviewedChoice], name_of: Callable[[ReviewedChoice], str]) -> dict[str, ChoiceCostTotals]:
    """Group the choices by `name_of(choice)`, and return the total costs of each group by its name."""
    groups = dict[str, list[ReviewedChoice]]()
    for choice in choices:
        groups.setdefault(name_of(choice), []).append(choice)
    return {name: _sums_of(group) for name, group in groups.items()}


def _sums_of(choices: Sequence[ReviewedChoice]) -> ChoiceCostTotals:
    weighings = [choice.weighing for choice in choices if choice.weighing]
    return ChoiceCostTotals(
        choices=len(weighings),
        cost=float(sum((Fraction(weighing.cost) for weighing in weighings), Fraction())),
        stake=float(sum((Fraction(weighing.stake) for weighing in weighings), Fraction())),
        lowest_stake=float(sum(Fraction(choice.lowest_stake) for choice in choices)),
    )


def _combine_groups(matches: Sequence[dict[str, ChoiceCostTotals]]) -> list[ChoiceGroupAccuracy]:
    """Add up the totals of several matches, and return statistics for each group of choices, such as a game phase."""
    by_name = dict[str, list[ChoiceCostTotals]]()
    for groups in matches:
        for name, sums in groups.items():
            by_name.setdefault(name, []).append(sums)
    return [_group_of(name, sums, len(matches)) for name, sums in by_name.items()]


def _group_of(name: str, sums: Sequence[ChoiceCostTotals], matches: int) -> ChoiceGroupAccuracy:
    cost, stake = sum(one.cost for one in sums), sum(one.stake for one in sums)
    lowest = [one.lowest_stake for one in sums]
    return ChoiceGroupAccuracy(
        name=name, choices=sum(one.choices for one in sums), cost=cost / matches,
        accuracy=max(0.0, min(1.0, 1 - cost / stake)) if stake > 0 else None,
        sure=None not in lowest and sum(one or 0 for one in lowest) > 0,
    )  # fmt: skip
