"""Pruning of the ladders: the rows of archived matches go, but for the last ones of each bot.

The ladder's stream keeps every match, so nothing is lost: `manage.py rebuild` and corrections read it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from replays.failed_work import run_bounded
from replays.finding import select_unarchived
from tournaments.bounds import CONTINUOUS, FRIENDLY
from tournaments.bout_models import Bout
from tournaments.challenge_models import ChallengeMatch
from tournaments.ladder import alone
from tournaments.ladder_order import LEAGUE
from tournaments.ladder_rows import prune_seats
from tournaments.models import LadderFold, League, RatedSeat, TableMatch

MAX_ROWS = 20_000
"""Rows of a ladder that are looked at in one transaction."""


def prune_ladders() -> int:
    """Prune every ladder by one step; returns how many rows went."""
    ladders = LadderFold.objects.order_by("pk").values_list("game", "season")
    return sum(run_bounded("pruning", "/".join(ladder), partial(_prune, *ladder), otherwise=0) for ladder in ladders)


@transaction.atomic
def _prune(game: str, season: str) -> int:
    ladder = LadderFold.objects.get(game=game, season=season)
    past = _settled(ladder)
    if past <= ladder.pruned_before:
        return 0
    ladder = alone(game, season)[1]
    rows = RatedSeat.objects.filter(ladder=ladder, at__gte=ladder.pruned_before, at__lt=past).order_by("at")
    more = rows.values_list("at", flat=True)[MAX_ROWS : MAX_ROWS + 1]
    return prune_seats(ladder, next(iter(more), past))


def _settled(ladder: LadderFold) -> int:
    """Return the place of the order before which every league is closed, and every match over and in the archive."""
    unarchived = Exists(select_unarchived().filter(pk=OuterRef("match")))
    going = Q(ended=False) | Q(unarchived)
    if ladder.season == CONTINUOUS:
        return LEAGUE + _first(
            Bout.objects.filter(ladder__game=ladder.game), "number", ladder.pruned_before - LEAGUE, going
        )
    if ladder.season == FRIENDLY:
        matches = ChallengeMatch.objects.filter(challenge__game=ladder.game)
        return LEAGUE + _first(matches, "pk", ladder.pruned_before - LEAGUE, going)
    left = TableMatch.objects.filter(unarchived, league=OuterRef("pk"))
    unfinished = ~Q(status=League.Status.CLOSED) | Q(Exists(left))
    return LEAGUE * _first(League.objects.filter(game=ladder.game), "pk", ladder.pruned_before // LEAGUE, unfinished)


def _first(rows: QuerySet[Any], number: str, since: int, going: Q) -> int:
    """Return the number of the first row from a number on that goes on; behind the last where none does."""
    since = max(0, since)
    found = rows.filter(going, **{f"{number}__gte": since}).order_by(number).values_list(number, flat=True).first()
    last = rows.order_by(number).values_list(number, flat=True).last()
    return since if last is None else last + 1 if found is None else int(found)
