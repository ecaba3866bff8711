"""Retries of failed recordings and ratings, each match and each round separately."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from django.db import transaction

from ftk_core.league.state import LeagueState
from replays.failed_work import forget, list_failed, run_bounded
from replays.queries import CLOSED
from tournaments import voids
from tournaments.models import TableMatch
from tournaments.projections import CALLED, load
from tournaments.rounds import RATING, locked, rate_round

RESULT: Final = "result"
"""Kind of failed work for the recording of one match in its league."""


def record_singly(league_id: int, record: Callable[[int, str], LeagueState | None]) -> bool:
    """Record each waiting match separately, as far as possible; return True if any was recorded."""
    waiting = TableMatch.objects.filter(CALLED, league=league_id, recorded=False, match__status=CLOSED)
    matches = list(waiting.order_by("number", "game").values_list("match_id", flat=True))
    after = [run_bounded(RESULT, match, partial(record, league_id, match), None) for match in matches]
    voids.settle(league_id)
    return any(after)


def has_failed_results(league_id: int) -> bool:
    """Return True if recording a match of the league, which still waits for it, has failed before."""
    return TableMatch.objects.filter(league=league_id, recorded=False, match_id__in=list_failed(RESULT)).exists()


def forget_settled_results() -> None:
    """Delete the failures of matches that were recorded meanwhile, or replaced."""
    failed = set(list_failed(RESULT))
    waiting = TableMatch.objects.filter(match_id__in=failed, recorded=False).values_list("match_id", flat=True)
    forget(RESULT, failed.difference(waiting))


def rate_failed_rounds() -> int:
    """Retry the failed ratings of rounds; return the number that succeeded."""
    failed = list_failed(RATING)
    return sum(run_bounded(RATING, subject, partial(_rate_again, subject), otherwise=False) for subject in failed)


@transaction.atomic
def _rate_again(subject: str) -> bool:
    league_id, round_ = map(int, subject.split("/"))
    league = locked(league_id)
    rate_round(league, load(league)[1], round_)
    return True
