"""Retries of failed work in leagues: the recording of single results, and the rating of single rounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.db import transaction

from ftk_core.league.league_state import LeagueState
from replays.background_work_retries import delete_failures, list_failed, run_with_retries
from replays.queries import CLOSED
from tournaments.leagues import void_match_resolution
from tournaments.leagues.league_event_appending import (
    LEAGUE_RESULT,
    ROUND_RATING,
    has_failed_rating,
    lock_league,
    rate_round,
)
from tournaments.leagues.league_event_projection import HAS_BEGUN, load
from tournaments.models import LeagueMatch


def record_singly(league_id: int, record_one: Callable[[int, str], LeagueState | None]) -> bool:
    """Call `record_one` for each finished match of a league; return True if any match was recorded.

    The arguments of `record_one` are the league id and the match id.
    """
    # A failing match does not block the others. Afterwards, matches without a result are played again or decided.
    waiting = LeagueMatch.objects.filter(HAS_BEGUN, league=league_id, recorded=False, match__status=CLOSED)
    matches = list(waiting.order_by("number", "game").values_list("match_id", flat=True))
    states = [run_with_retries(LEAGUE_RESULT, match, partial(record_one, league_id, match), None) for match in matches]
    void_match_resolution.settle_void_matches(league_id)
    return any(states)


def has_failed_results(league_id: int) -> bool:
    """Return True if an attempt to record a match of the league failed and the match is still unrecorded."""
    unrecorded = LeagueMatch.objects.filter(league=league_id, recorded=False)
    return unrecorded.filter(match_id__in=list_failed(LEAGUE_RESULT)).exists()


def delete_settled_failures() -> None:
    """Delete the stored failures of matches that have been recorded or replaced since."""
    failed = set(list_failed(LEAGUE_RESULT))
    waiting = LeagueMatch.objects.filter(match_id__in=failed, recorded=False).values_list("match_id", flat=True)
    delete_failures(LEAGUE_RESULT, failed.difference(waiting))


def rate_failed_rounds() -> int:
    """Retry the rating of rounds for which it failed; return the number of rounds rated."""
    failed = list_failed(ROUND_RATING)
    return sum(
        run_with_retries(ROUND_RATING, subject, partial(_retry_rating, subject), otherwise=False) for subject in failed
    )


@transaction.atomic
def _retry_rating(subject: str) -> bool:
    league_id, round_ = map(int, subject.split("/"))
    league = lock_league(league_id)
    if not has_failed_rating(league, round_):  # another process has rated it while this one waited for the lock
        return False
    rate_round(league, load(league)[1], round_)
    delete_failures(ROUND_RATING, [subject])  # in the same transaction, so that a rated round is never tried again
    return True
