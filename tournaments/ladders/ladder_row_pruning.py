"""Deletion of old, archived matches from the ladder tables."""
# Each bot's latest matches stay. The stream of a ladder still contains every match, for corrections and rebuilds.

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from replays.background_work_retries import run_with_retries
from replays.match_search import select_unarchived
from tournaments.ladders.ladder_match_rating import lock_ladder
from tournaments.ladders.ladder_storage import prune_seats
from tournaments.ladders.match_rating_order import PLACES_PER_LEAGUE
from tournaments.league_limits import CHALLENGES, CONTINUOUS
from tournaments.models import LadderProjection, League, LeagueMatch, RatedMatchSeat
from tournaments.models.challenges import ChallengeMatch
from tournaments.models.continuous_ladders import Bout

MAX_ROWS_PER_STEP = 20_000
"""Maximum number of a ladder's rows that one transaction examines."""


def prune_ladders() -> int:
    """Delete a batch of old, archived matches from the tables of each ladder; return the number of deleted rows."""
    ladders = LadderProjection.objects.order_by("pk").values_list("game", "season")
    return sum(
        run_with_retries("pruning", "/".join(ladder), partial(_prune_ladder, *ladder), otherwise=0)
        for ladder in ladders
    )


@transaction.atomic
def _prune_ladder(game: str, season: str) -> int:
    ladder = LadderProjection.objects.get(game=game, season=season)
    place = _find_settled_place(ladder)
    if place <= ladder.pruned_before:
        return 0
    ladder = lock_ladder(game, season)[1]
    if place <= ladder.pruned_before:  # another process has meanwhile deleted these rows and more
        return 0
    rows = RatedMatchSeat.objects.filter(ladder=ladder, at__gte=ladder.pruned_before, at__lt=place).order_by("at")
    following = rows.values_list("at", flat=True)[MAX_ROWS_PER_STEP : MAX_ROWS_PER_STEP + 1]
    return prune_seats(ladder, next(iter(following), place))


def _find_settled_place(ladder: LadderProjection) -> int:
    """Return the position in a ladder's rating order before which every match is finished and archived."""
    # On ladders of leagues, the league of each of these matches is closed too.
    unarchived = Exists(select_unarchived().filter(pk=OuterRef("match")))
    is_open = Q(ended=False) | Q(unarchived)
    if ladder.season == CONTINUOUS:
        return PLACES_PER_LEAGUE + _find_first_open(
            Bout.objects.filter(ladder__game=ladder.game), "number", ladder.pruned_before - PLACES_PER_LEAGUE, is_open
        )
    if ladder.season == CHALLENGES:
        matches = ChallengeMatch.objects.filter(challenge__game=ladder.game)
        return PLACES_PER_LEAGUE + _find_first_open(matches, "pk", ladder.pruned_before - PLACES_PER_LEAGUE, is_open)
    unarchived_tables = LeagueMatch.objects.filter(unarchived, league=OuterRef("pk"))
    unfinished = ~Q(status=League.Status.CLOSED) | Q(Exists(unarchived_tables))
    return PLACES_PER_LEAGUE * _find_first_open(
        League.objects.filter(game=ladder.game), "pk", ladder.pruned_before // PLACES_PER_LEAGUE, unfinished
    )


def _find_first_open(rows: QuerySet[Any], number: str, start: int, is_open: Q) -> int:
    """Return the number of the first unfinished row, from the number `start` on.

    `number` is the name of the field with the number, `is_open` the condition for unfinished rows. If no such row is
    unfinished, return the number of the last row plus 1. If `rows` is empty, return `start`, but at least 0.
    """
    start = max(0, start)
    first_open = (
        rows.filter(is_open, **{f"{number}__gte": start}).order_by(number).values_list(number, flat=True).first()
    )
    last = rows.order_by(number).values_list(number, flat=True).last()
    return start if last is None else last + 1 if first_open is None else int(first_open)
