"""Summary of many reviews for the author of a bot: where it loses, by which kinds of choices, and how much was luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from statistics import fmean, stdev

import msgspec

from ftk_core.analysis.menu_item_values import EstimatedMenuItem
from ftk_core.analysis.review_document import ReviewDocument, ReviewedChoice

PHASES = ("first third", "second third", "last third")
"""Phases of play: a match's frames in three equal parts."""
MAX_MISTAKES = 5
"""Number of the costliest choices in a summary."""


class ChoiceGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Quality of some of a bot's choices, for example of one kind."""

    name: str
    choices: int
    cost: float
    """Mean cost of these choices in one match, as a share of the opponents."""
    accuracy: float | None
    """1 minus the cost divided by the stake; 1 is best. None if nothing was at stake."""


class Mistake(msgspec.Struct, frozen=True, kw_only=True):
    """One of the bot's costliest choices."""

    match: str
    frame: int
    seat: int
    kind: str
    loss: float
    """Share with the better option minus share with the chosen one."""
    sure: bool
    """True if the interval of the loss is above 0."""
    chosen: dict[str, str]
    """Language tag -> sentence that describes the choice."""
    better: dict[str, str]
    """Language tag -> sentence that describes the better option."""


class CoachingReport(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of a bot's reviewed matches of one game."""

    schema: str = "ftk.coaching/1"
    game: str
    bot: str
    matches: int
    share: float
    """Mean share of opponents that the bot finished ahead of."""
    luck: float
    """Mean part of the share that comes from the seat, the deal and later chance."""
    luck_margin: float
    """Half-width of the 95% interval of `luck`; 0 for a single match."""
    phases: tuple[ChoiceGroup, ...]
    kinds: tuple[ChoiceGroup, ...]
    """Kinds of choices, the costliest first."""
    mistakes: tuple[Mistake, ...]
    """Costliest choices first."""


def summarize_reviews(reviews: Iterable[tuple[ReviewDocument, int]], bot: str) -> list[CoachingReport]:
    """Summarize reviews by game. Each review comes with the seat of the bot.

    Reviews without costs, such as those for the public, count for the luck alone.
    """
    by_game = sorted(reviews, key=lambda review: review[0].game)
    return [_summarize(list(group), game, bot) for game, group in groupby(by_game, key=lambda review: review[0].game)]


def costliest_choices(document: ReviewDocument, seat: int, most: int) -> tuple[Mistake, ...]:
    """Return a seat's costliest choices of a match, each with a better option."""
    return _list_mistakes([(document, seat)])[:most]


def _summarize(reviews: Sequence[tuple[ReviewDocument, int]], game: str, bot: str) -> CoachingReport:
    accounts = [document.ledger[seat] for document, seat in reviews]
    luck = [float(sum(map(Fraction, (account.seat, account.deal, account.chance)))) for account in accounts]
    choices = [(document, choice) for document, seat in reviews for choice in _weighed(document, seat)]
    kinds = _group(choices, _kind_of_choice, len(reviews))
    return CoachingReport(
        game=game,
        bot=bot,
        matches=len(reviews),
        share=fmean(float(Fraction(account.share)) for account in accounts),
        luck=fmean(luck),
        luck_margin=1.96 * stdev(luck) / len(luck) ** 0.5 if len(luck) > 1 else 0.0,
        phases=tuple(_group(choices, lambda document, choice: PHASES[_phase_of(document, choice)], len(reviews))),
        kinds=tuple(sorted(kinds, key=lambda kind: -kind.cost)),
        mistakes=_list_mistakes(reviews)[:MAX_MISTAKES],
    )


def _weighed(document: ReviewDocument, seat: int) -> list[ReviewedChoice]:
    return [choice for choice in document.choices if choice.seat == seat and choice.weighing]


def _phase_of(document: ReviewDocument, choice: ReviewedChoice) -> int:
    return min(len(PHASES) - 1, len(PHASES) * choice.frame // max(1, document.curve[-1].frame))


def _kind_of(chosen: EstimatedMenuItem) -> str:
    """Return the kind of an action, as in the bot protocol."""
    return str(msgspec.json.decode(chosen.action)["kind"])


def _kind_of_choice(_document: ReviewDocument, choice: ReviewedChoice) -> str:
    weighing = choice.weighing
    options = weighing.options if weighing else ()
    return next((_kind_of(option) for option in options if weighing and option.item == weighing.chosen), "")


def _group(
    choices: Sequence[tuple[ReviewDocument, ReviewedChoice]],
    name_of: Callable[[ReviewDocument, ReviewedChoice], str],
    matches: int,
) -> list[ChoiceGroup]:
    """Return the groups of choices by name, in the order in which their names first occur."""
    groups = dict[str, list[ReviewedChoice]]()
    for document, choice in choices:
        groups.setdefault(name_of(document, choice), []).append(choice)
    return [_group_of(name, group, matches) for name, group in groups.items()]


def _group_of(name: str, choices: Sequence[ReviewedChoice], matches: int) -> ChoiceGroup:
    weighings = [choice.weighing for choice in choices if choice.weighing]
    cost = sum((Fraction(weighing.cost) for weighing in weighings), Fraction())
    stake = sum((Fraction(weighing.stake) for weighing in weighings), Fraction())
    return ChoiceGroup(
        name=name,
        choices=len(choices),
        cost=float(cost / matches),
        accuracy=float(1 - cost / stake) if stake > 0 else None,
    )


def _list_mistakes(reviews: Sequence[tuple[ReviewDocument, int]]) -> tuple[Mistake, ...]:
    """Return the costliest choices by the loss that is sure, largest first."""
    mistakes = []
    for document, seat in reviews:
        weighings = {choice.frame: choice.weighing for choice in _weighed(document, seat)}
        for costly in document.costliest:
            weighing = weighings.get(costly.frame)
            if costly.seat != seat or weighing is None:
                continue
            options = {option.item: option for option in weighing.options}
            chosen = options[costly.chosen]
            mistake = Mistake(
                match=document.match, frame=costly.frame, seat=seat, kind=_kind_of(chosen),
                loss=float(Fraction(costly.loss)), sure=costly.sure,
                chosen=chosen.said, better=options[costly.better].said,
            )  # fmt: skip
            sure_loss = Fraction(costly.loss) - Fraction(costly.margin)
            mistakes.append((-sure_loss, document.match, costly.frame, mistake))
    return tuple(mistake for *_, mistake in sorted(mistakes, key=lambda one: one[:3]))
