"""Seeding of the stages of a league, and checks that enough entries qualify for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext
from msgspec.structs import replace

from ftk_core.league.plans import Stage
from ftk_core.league.stages import lacking
from ftk_core.league.state import LeagueState, NotNow
from tournaments.models import ALL_TIME, CourtRating, League

MANY = 1_000_000
"""Upper bound of the entries of any league."""


def seeded(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Return stages with the first one seeded by lot unless by rating; in a gauntlet the first to enter challenge."""
    first, *others = stages
    if first.seeding == "entry" and first.format != "gauntlet":
        first = replace(first, seeding="lot")
    return (first, *others)


def check_sizes(stages: Sequence[Stage]) -> None:
    """Raise NotNow if too few can qualify for a stage, however many enter the league."""
    if short := lacking(stages, MANY):
        number, needed, have = short
        raise NotNow(
            gettext("stage %(stage)s needs %(needed)s entries or more, and %(have)s qualify for it; let more qualify")
            % {"stage": number + 1, "needed": needed, "have": have}
        )


def read_ratings(league: League, state: LeagueState) -> Mapping[int, int]:
    """Return the court ratings by entry, if a stage of the league is seeded by them."""
    if all(stage.seeding != "rating" for stage in state.stages):
        return {}
    bots = dict(league.entrants.values_list("version__bot", "number"))
    rated = CourtRating.objects.filter(bot__in=bots, season=ALL_TIME).values_list("bot", "value")
    return {bots[bot]: round(value / 100) for bot, value in rated}
