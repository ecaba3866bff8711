"""Stages of a new league: parsing from JSON, seeding, and checks of their sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from django.utils.translation import gettext
from msgspec.structs import replace

from ftk_core.game import Worth
from ftk_core.games import list_games
from ftk_core.league.entry_and_qualification_rules import first_stage_too_small
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import find_format
from ftk_core.league.league_state import CommandRejected, LeagueState
from tournaments.models import ALL_TIME, League

MAX_ENTRIES = 1_000_000
"""Upper bound for the number of entries in any league."""


def parse_stages(stages: Iterable[Mapping[str, object]], game: str, worth: Worth | None) -> tuple[StageSettings, ...]:
    """Return the stages of a league from JSON objects; raise msgspec.ValidationError for invalid ones.

    `worth` is the default rule for the points of a match; None stands for the game's rule.
    """
    if worth is None:
        worth = list_games()[game].worth if game in list_games() else "places"
    return msgspec.convert([{"worth": worth, **stage} for stage in stages], tuple[StageSettings, ...])


def set_first_seeding(stages: Sequence[StageSettings]) -> tuple[StageSettings, ...]:
    """Return the stages, with random seeding of the first stage instead of seeding by order of entry.

    A format that needs the order of entry keeps it. In a gauntlet, for example, the first entries play against all
    others.
    """
    first, *others = stages
    if first.seeding == "entry" and not find_format(first.format).keeps_entry_order:
        first = replace(first, seeding="lot")
    return (first, *others)


def check_sizes(stages: Sequence[StageSettings]) -> None:
    """Raise CommandRejected if a stage can never have enough entries, however many bots enter."""
    if shortage := first_stage_too_small(stages, MAX_ENTRIES):
        number, needed, qualified = shortage
        raise CommandRejected(
            gettext("stage %(stage)s needs %(needed)s entries or more, and %(have)s qualify for it; let more qualify")
            % {"stage": number + 1, "needed": needed, "have": qualified}
        )


def read_ratings(league: League, state: LeagueState) -> Mapping[int, int]:
    """Return the all-time ratings of a league's entries in whole points, by entry number.

    Entries without a rating are left out. The dict is empty if no stage is seeded by rating.
    """
    if all(stage.seeding != "rating" for stage in state.stages):
        return {}
    rated = league.entrants.filter(version__bot__court_ratings__season=ALL_TIME)
    ratings = rated.values_list("number", "version__bot__court_ratings__value")
    return {number: round(value / 100) for number, value in ratings}
