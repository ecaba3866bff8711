"""Recording of finished matches in the league, continuous ladder or challenge to which they belong."""

from __future__ import annotations

from dataclasses import dataclass

from celery import shared_task
from django.db import connection
from django.dispatch import receiver

from foundation import tracing
from foundation.celery_task_messages import enqueue_task
from foundation.debounce import Debounce
from replays import match_tracing
from replays.playing.match_django_signals import match_ended, player_names_requested
from replays.queries import Kind, read_kind
from tournaments.challenges import services as challenge_services
from tournaments.continuous_ladder import services as continuous_services
from tournaments.leagues import services
from tournaments.models import Entrant

PAUSE_SECONDS = 1.0
"""Minimum seconds between two recordings of results of a league, while it has open matches.

Thus one recording takes many results. Each process applies this limit on its own: to the tasks that it enqueues, and
separately to the recordings that it executes.
"""
enqueue_debounce, record_debounce = Debounce(PAUSE_SECONDS), Debounce(PAUSE_SECONDS)
"""Times of the last enqueued and the last executed recording in this process, by league id."""


@shared_task(name="tournaments.record")
def record(match_id: str) -> bool:
    """Record the result of a finished match; return True if anything was recorded."""
    # A match whose recording may wait is left for a later task, which records many results at once.
    with tracing.span("match.record", match_tracing.context_of(match_id), match=match_id) as span:
        recorded = _record(match_id)
        span.set_attributes(recorded=recorded)
    match_tracing.delete_trace(match_id)
    return recorded


def _record(match_id: str) -> bool:
    match read_kind(match_id):
        case Kind.LEAGUE:
            return _record_in_league(match_id)
        case Kind.LADDER:
            return continuous_services.record(match_id)
        case Kind.FRIENDLY:
            return challenge_services.record(match_id)
    return False


def _record_in_league(match_id: str) -> bool:
    table = _find_waiting_match(match_id)
    return table is not None and not _may_wait(table, record_debounce) and services.record_match(match_id)


@receiver(match_ended, dispatch_uid="tournaments.record")
def enqueue_recording(match_id: str, **_kwargs: object) -> None:
    """Enqueue the recording of a finished match, unless a later task can record it with other matches."""
    table = _find_waiting_match(match_id)
    if table is not None and _may_wait(table, enqueue_debounce):
        match_tracing.delete_trace(match_id)
    else:
        enqueue_task("tournaments.record", match_id)


@receiver(player_names_requested, dispatch_uid="tournaments.names")
def read_announced_names(match_id: str, **_kwargs: object) -> dict[int, str]:
    """Return the names under which the players of a league match entered, by bot version; empty for other matches."""
    return dict(Entrant.objects.filter(league__tables__match=match_id).values_list("version_id", "name"))


@dataclass(frozen=True, slots=True)
class UnrecordedMatch:
    """A finished league match whose result is not recorded yet."""

    league: int
    round_has_begun: bool
    """True if the round of the match has begun; false if the round was only paired ahead."""
    more: bool
    """True if the league has another open match in a round that has begun."""


WAITING_MATCH_SQL = """
SELECT league.id, ours.round <= league.round, EXISTS (
    SELECT FROM tournaments_tablematch AS other JOIN replays_match AS match ON match.id = other.match_id
    WHERE other.league_id = league.id AND NOT other.recorded AND other.round <= league.round
    AND match.status NOT IN ('closed', 'void')
)
FROM tournaments_tablematch AS ours JOIN tournaments_league AS league ON league.id = ours.league_id
WHERE ours.match_id = %s AND NOT ours.recorded
"""


def _find_waiting_match(match_id: str) -> UnrecordedMatch | None:
    """Return the unrecorded league match with this id, or None."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING_MATCH_SQL, [match_id])
        columns = cursor.fetchone()
    return UnrecordedMatch(*columns) if columns else None


def _may_wait(waiting: UnrecordedMatch, debounce: Debounce) -> bool:
    """Return True if the recording of a finished match can wait.

    Otherwise, store in `debounce` that the results of the match's league are recorded now.
    """
    # A match waits if its round has not begun. It also waits if its league has further unfinished matches and results
    # of this league were recorded within the last `PAUSE_SECONDS`.
    if not waiting.round_has_begun or (waiting.more and not debounce.is_due(waiting.league)):
        return True
    debounce.record(waiting.league)
    return False
