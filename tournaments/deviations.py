"""Clone-invariant order of each ladder, computed after each court fit for the leaderboard."""

from __future__ import annotations

from dataclasses import dataclass

import structlog
from django.db.models import Sum

from tournaments.deviation_models import DeviationFit
from tournaments.models import MeetingSum

log = structlog.get_logger(__name__)
DIGITS = 4
"""Number of digits at which scores count as equal; linear programs are solved to about eight."""
MIN_MEETINGS = 20
"""Minimum number of meetings of a bot: one with few meetings looks unbeaten."""
MAX_RATED = 50
"""Maximum number of rated bots, the best ones: each needs a linear program over all bots."""
MAX_BOTS = 200
"""Maximum number of bots, those with the most meetings."""


@dataclass(frozen=True, slots=True)
class Score:
    """A bot in the clone-invariant order."""

    place: int
    """Equal scores share a place, and no place is left out."""
    name: str
    percent: str
    """Mean percentage of opponents left behind, against the strongest mix of bots."""


@dataclass(frozen=True, slots=True)
class CycleRow:
    """Three bots that beat each other in a cycle."""

    names: tuple[str, ...]
    percents: tuple[str, ...]
    """Percentages of matches in which each finishes ahead of the next one; a shared place counts half."""

    @property
    def steps(self) -> list[tuple[str, str]]:
        """Each name with its percentage."""
        return list(zip(self.names, self.percents, strict=True))


@dataclass(frozen=True, slots=True)
class Deviations:
    """The clone-invariant order of a ladder, best first, and its cycles."""

    scores: list[Score]
    cycles: list[CycleRow]
    unmet: str
    """Percentage of pairs that never met, which count as equal."""


def refit(game: str, season: str) -> None:
    """Recompute and store a ladder's deviation ratings and cycles."""
    # imported here because scipy takes a second to load, and pages that read the order do not need it
    import numpy as np

    from ftk_core.league.deviations import deviation_ratings, find_cycles, margins_of

    rows = MeetingSum.objects.filter(ladder__game=game, ladder__season=season, matches__gt=0)
    often = rows.values("bot").annotate(met=Sum("matches")).filter(met__gte=MIN_MEETINGS).order_by("-met", "bot")
    keys = sorted(often.values_list("bot", flat=True)[:MAX_BOTS])
    index, count = {key: at for at, key in enumerate(keys)}, len(keys)
    halves, matches = np.zeros((count, count), dtype=np.int64), np.zeros((count, count), dtype=np.int64)
    for bot, other, won, met in rows.filter(bot__in=keys, other__in=keys).values_list(
        "bot", "other", "halves", "matches"
    ):
        halves[index[bot], index[other]], matches[index[bot], index[other]] = won, met
    margins = margins_of(halves, matches)
    try:
        scores = deviation_ratings(margins, MAX_RATED) if count > 1 else []
    except ArithmeticError:  # must not discard the court ratings of the same fit
        log.exception("no_deviation_ratings", game=game, season=season, bots=count)
        return
    order = sorted((-score, keys[at]) for at, score in enumerate(scores) if score is not None)
    cycles = find_cycles(margins, matches)
    pairs = count * (count - 1)
    DeviationFit.objects.update_or_create(
        game=game,
        season=season,
        defaults={
            "scores": [[key, -score] for score, key in order],
            "cycles": [[[keys[bot] for bot in cycle.bots], list(cycle.margins)] for cycle in cycles],
            "unmet": float(((matches == 0).sum() - count) / pairs) if pairs else 0.0,
        },
    )


def read_deviations(game: str, season: str) -> Deviations | None:
    """Return the clone-invariant order of a ladder, or None if too few bots have met often enough."""
    row = DeviationFit.objects.filter(game=game, season=season).first()
    if row is None or not row.scores:
        return None
    wanted = {key for key, _ in row.scores} | {key for keys, _ in row.cycles for key in keys}
    met = MeetingSum.objects.filter(ladder__game=game, ladder__season=season, bot__in=wanted)
    names = dict(met.values_list("bot", "bot__slug").distinct())
    scores = [(names[key], round(score, DIGITS)) for key, score in row.scores if key in names]
    better = sorted({score for _, score in scores}, reverse=True)  # copies must not change the places after them
    return Deviations(
        [Score(1 + better.index(score), name, _percent(score)) for name, score in scores],
        [
            CycleRow(tuple(names[key] for key in keys), tuple(map(_percent, margins)))
            for keys, margins in row.cycles
            if all(key in names for key in keys)
        ],
        f"{100 * row.unmet:.0f}",
    )


def _percent(margin: float) -> str:
    return f"{50 + 50 * margin:.0f}"
