"""Stages of a league that is announced: their parsing, their seeding, and a check that enough entries qualify."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from django.utils.translation import gettext
from msgspec.structs import replace

from ftk_core.game import Worth
from ftk_core.games import list_games
from ftk_core.league.entry_and_start_rules import first_stage_too_small
from ftk_core.league.event_fields import StageTerms
from ftk_core.league.formats import find_format
from ftk_core.league.league_state import CommandRejected, LeagueState
from tournaments.models import ALL_TIME, CourtRating, League

MAX_ENTRIES = 1_000_000
"""Upper bound for the number of entries in any league."""


def parse_stages(stages: Iterable[Mapping[str, object]], game: str, worth: Worth | None) -> tuple[StageTerms, ...]:
    """Return the stages of a league from JSON objects. Raise msgspec.ValidationError for invalid ones.

    `worth` is the league's rule for the points of a match; if it is None, the default rule of the game applies. Stages
    that state their own rule keep it. A game that does not exist is not refused here.
    """
    if worth is None:
        worth = list_games()[game].worth if game in list_games() else "places"
    return msgspec.convert([{"worth": worth, **stage} for stage in stages], tuple[StageTerms, ...])


def set_first_seeding(stages: Sequence[StageTerms]) -> tuple[StageTerms, ...]:
    """Return the stages, after changing the first one's seeding from ``entry`` (order of entry) to ``lot`` (random).

    The seeding stays if it is not ``entry``, or if the stage's format gives the first entries a special role, as a
    gauntlet does. Other stages stay as they are.
    """
    first, *others = stages
    if first.seeding == "entry" and not find_format(first.format).keeps_entry_order:
        first = replace(first, seeding="lot")
    return (first, *others)


def check_sizes(stages: Sequence[StageTerms]) -> None:
    """Raise CommandRejected if too few entries would qualify for a stage even with `MAX_ENTRIES` entries."""
    if shortage := first_stage_too_small(stages, MAX_ENTRIES):
        number, needed, qualified = shortage
        raise CommandRejected(
            gettext("stage %(stage)s needs %(needed)s entries or more, and %(have)s qualify for it; let more qualify")
            % {"stage": number + 1, "needed": needed, "have": qualified}
        )


def read_ratings(league: League, state: LeagueState) -> Mapping[int, int]:
    """Return the all-time court ratings of a league's entries in whole points, as a dict by entry number.

    Entries without a rating are left out. The dict is empty if no stage of the league is seeded by rating.
    """
    if all(stage.seeding != "rating" for stage in state.stages):
        return {}
    bots = dict(league.entrants.values_list("version__bot", "number"))
    ratings = CourtRating.objects.filter(bot__in=bots, season=ALL_TIME).values_list("bot", "value")
    return {bots[bot]: round(value / 100) for bot, value in ratings}
