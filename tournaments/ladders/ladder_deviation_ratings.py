"""Deviation ratings: an order of bots that does not change if copies of a bot are added."""
# The computation adds two fictitious draws per pair of bots, so that few matches do not give extreme numbers.

from __future__ import annotations

from dataclasses import dataclass

import structlog
from django.db.models import Sum

from tournaments.models import HeadToHeadTotal
from tournaments.models.deviation_ratings import DeviationRatingFit

log = structlog.get_logger(__name__)
SCORE_DIGITS = 4
"""Number of decimals to which scores are compared; the linear programs are accurate to about eight decimals."""
MIN_MEETINGS = 20
"""Minimum number of meetings that a bot needs for a rating. In each match, a bot meets each of its opponents once.

With fewer meetings, a bot can look unbeaten by chance.
"""
MAX_RATED = 50
"""Maximum number of bots that get a rating, the best ones. Each needs a linear program over all bots."""
MAX_BOTS = 200
"""Maximum number of bots in the computation, those with the most meetings."""


@dataclass(frozen=True, slots=True)
class BotDeviationRating:
    """Deviation rating of one bot. The rating does not change if copies of other bots are added."""

    place: int
    """Place from 1; equal scores share a place, and the next place is one higher."""
    name: str
    percent: str
    """Percentage of meetings that the bot wins against the mix of bots that is hardest to beat, as text.

    The best bots have 50, the others less. A shared place counts as half a win.
    """


@dataclass(frozen=True, slots=True)
class FormattedIntransitiveCycle:
    """Three bots that beat each other in a cycle: A beats B, B beats C, and C beats A."""

    names: tuple[str, ...]
    percents: tuple[str, ...]
    """For each bot the percentage of matches in which it finishes ahead of the next bot; a shared place counts half."""

    @property
    def steps(self) -> list[tuple[str, str]]:
        """Pairs (bot name, its percentage against the next bot of the cycle)."""
        return list(zip(self.names, self.percents, strict=True))


@dataclass(frozen=True, slots=True)
class LadderDeviationRatings:
    """Deviation ratings of a ladder's bots, best first, and cycles of bots that beat each other."""

    scores: list[BotDeviationRating]
    cycles: list[FormattedIntransitiveCycle]
    unmet: str
    """Percentage of pairs of bots that never met; such pairs count as equal."""


def refit(game: str, season: str) -> None:
    """Recompute and store the deviation ratings of a ladder, and its cycles of bots that beat each other."""
    # imported here because scipy takes a second to load, and pages that only read the ratings do not need it
    import numpy as np

    from ftk_core.league.statistics.deviation_rating_computation import deviation_ratings, find_cycles, margins_of

    rows = HeadToHeadTotal.objects.filter(ladder__game=game, ladder__season=season, matches__gt=0)
    frequent = rows.values("bot").annotate(met=Sum("matches")).filter(met__gte=MIN_MEETINGS).order_by("-met", "bot")
    keys = sorted(frequent.values_list("bot", flat=True)[:MAX_BOTS])
    index, count = {key: at for at, key in enumerate(keys)}, len(keys)
    half_points, matches = np.zeros((count, count), dtype=np.int64), np.zeros((count, count), dtype=np.int64)
    for bot, opponent, won, met in rows.filter(bot__in=keys, other__in=keys).values_list(
        "bot", "other", "halves", "matches"
    ):
        half_points[index[bot], index[opponent]], matches[index[bot], index[opponent]] = won, met
    margins = margins_of(half_points, matches)
    try:
        scores = deviation_ratings(margins, MAX_RATED) if count > 1 else []
    except ArithmeticError:  # must not discard the court ratings, which are stored in the same transaction
        log.exception("no_deviation_ratings", game=game, season=season, bots=count)
        return
    order = sorted((-score, keys[at]) for at, score in enumerate(scores) if score is not None)
    cycles = find_cycles(margins, matches)
    pairs = count * (count - 1)
    DeviationRatingFit.objects.update_or_create(
        game=game,
        season=season,
        defaults={
            "scores": [[key, -score] for score, key in order],
            "cycles": [[[keys[bot] for bot in cycle.bots], list(cycle.margins)] for cycle in cycles],
            "unmet": float(((matches == 0).sum() - count) / pairs) if pairs else 0.0,
        },
    )


def read_deviations(game: str, season: str) -> LadderDeviationRatings | None:
    """Return the stored deviation ratings of a ladder, or None without ratings."""
    # There are no ratings if too few bots have played enough matches.
    fit_row = DeviationRatingFit.objects.filter(game=game, season=season).first()
    if fit_row is None or not fit_row.scores:
        return None
    needed = {key for key, _ in fit_row.scores} | {key for keys, _ in fit_row.cycles for key in keys}
    met = HeadToHeadTotal.objects.filter(ladder__game=game, ladder__season=season, bot__in=needed)
    names = dict(met.values_list("bot", "bot__slug").distinct())
    scores = [(names[key], round(score, SCORE_DIGITS)) for key, score in fit_row.scores if key in names]
    better = sorted({score for _, score in scores}, reverse=True)  # copies must not change the places after them
    return LadderDeviationRatings(
        [BotDeviationRating(1 + better.index(score), name, _format_percent(score)) for name, score in scores],
        [
            FormattedIntransitiveCycle(tuple(names[key] for key in keys), tuple(map(_format_percent, margins)))
            for keys, margins in fit_row.cycles
            if all(key in names for key in keys)
        ],
        f"{100 * fit_row.unmet:.0f}",
    )


def _format_percent(margin: float) -> str:
    return f"{50 + 50 * margin:.0f}"
