"""Match runner: plays a match with real bot processes, and resumes an interrupted match from its log."""

from __future__ import annotations

import os
import socket
import time
import uuid
from contextlib import ExitStack

import structlog
from django.conf import settings
from django.db import connection
from django.utils import timezone

from bots import sandbox_settings
from bots.metrics import count_error
from bots.remote_bots import PERSON
from bots.sandbox import SandboxConfig
from bots.sandbox.installed_programming_languages import describe_missing
from bots.sandbox.sandbox_self_test import require_sandbox
from foundation import tracing
from foundation.celery_worker_draining import WorkerDrainingError
from foundation.retry_policy import is_last, retry_pause
from ftk_core.games import game_of
from ftk_core.hash_chained_log import LogPage, LogWriteConflictError, lines_of
from ftk_core.log_entries import MatchOpened, choices_of, is_end_line
from ftk_core.log_writer import LogWriter
from ftk_core.referee import Referee
from replays import match_tracing, metrics
from replays.event_stream_storage import ASYNC_COMMIT_SQL
from replays.models import Match, MatchSeat
from replays.playing.lease_heartbeat import LeaseHeartbeat
from replays.playing.match_django_signals import match_ended
from replays.playing.match_leases import MatchLease, MatchLeaseLost, adjourn, claim, release
from replays.playing.match_players import is_played_here, seat_players
from replays.playing.match_results import TimeAndMissedAnswersBySeat, close_match
from replays.playing.match_voiding_after_failures import ENDED, give_up_after_error, opening_entry
from replays.playing.minimum_choice_interval import DelayedPlayer, MinimumChoiceInterval
from replays.playing.spectator_notifications import SpectatorNotifier
from replays.seats.remote_and_human_players import MatchAdjournedError

log = structlog.get_logger(__name__)
PUT_BACK, LOST = "put back", "lost"
SEAT_RELATIONS = ("match", "version__bot", "version__package")


def holder_name() -> str:
    """Return a new unique name under which this worker can hold one lease."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def play_match(match_id: str) -> bool:
    """Play a match to its end if no other worker has it. Return True if it ended with a result.

    Raises SandboxUnavailable; the match is then unchanged.
    """
    cage = sandbox_settings.read_sandbox()
    require_sandbox(cage)
    seats = list(MatchSeat.objects.select_related(*SEAT_RELATIONS).filter(match=match_id).order_by("seat"))
    if lack := _find_missing_language(cage, seats):
        log.warning("match_left_to_others", match=match_id, reason=lack)
        return False
    lease = claim(match_id, holder_name())
    if lease is None:
        return False
    # the claim changes no field that is used below
    match, context = seats[0].match, match_tracing.context_of(match_id)
    if lease.attempts == 1:
        tracing.record_span("match.wait", [context], match.created_at)
    with tracing.span("match", context, match=match_id, game=match.game, attempt=lease.attempts) as span:
        came_of_it = _play_leased(match, seats, lease)
        span.set_attributes(outcome=came_of_it)
    if came_of_it == ENDED:
        by_hand = any(seat.version.bot.kind == PERSON for seat in seats)
        match_ended.send(sender=Match, match_id=match_id, by_hand=by_hand)
    return came_of_it == ENDED


def _play_leased(match: Match, seats: list[MatchSeat], lease: MatchLease) -> str:
    """Play a match whose lease this worker holds. Return the outcome, such as "ended" or "adjourned"."""
    try:
        if lease.attempts > settings.ATTEMPTS:
            return give_up_after_error(match, seats, lease, None)
        with LeaseHeartbeat(lease) as beat, metrics.PLAYING.track_inprogress():
            _play(match, seats, lease, beat)
    except (LogWriteConflictError, MatchLeaseLost) as error:
        log.warning("match_lost", match=match.pk, reason=str(error))
        metrics.LEASES_LOST.inc()
        return LOST
    except MatchAdjournedError as wait:
        adjourn(lease, wait.seat, wait.until)
        return "adjourned"
    except WorkerDrainingError as error:
        log.warning("match_put_back", match=match.pk, reason=str(error))
        release(lease, tried=False)
        return PUT_BACK
    except Exception as error:  # any error is a failed attempt, and attempts are bounded
        log.warning("match_failed", match=match.pk, attempt=lease.attempts, reason=str(error), exc_info=error)
        return _handle_failure(match, seats, lease, error)
    return ENDED


def _handle_failure(match: Match, seats: list[MatchSeat], lease: MatchLease, error: Exception) -> str:
    """Release a match after a failed attempt, or end it after the last allowed attempt.

    Return one of the outcomes of `_play_leased`.
    """
    connection.close_if_unusable_or_obsolete()
    count_error(error)
    try:
        if is_last(lease.attempts):
            return give_up_after_error(match, seats, lease, error)
        release(lease, pause=retry_pause(lease.attempts))
    except (LogWriteConflictError, MatchLeaseLost) as late:
        log.warning("match_lost", match=match.pk, reason=str(late))
        return LOST
    return PUT_BACK


def _find_missing_language(cage: SandboxConfig, seats: list[MatchSeat]) -> str:
    """Return a description of what this machine lacks to run the match's bots; empty if it lacks nothing."""
    languages = {seat.version.package.command[0] for seat in seats if is_played_here(seat)}
    return next(filter(None, (describe_missing(cage, language) for language in sorted(languages))), "")


def _play(match: Match, seats: list[MatchSeat], lease: MatchLease, beat: LeaseHeartbeat) -> None:
    stream, spectator_notifier = lease.stream, SpectatorNotifier(match.id)
    tally = TimeAndMissedAnswersBySeat(match, len(seats))
    past = list(lines_of(stream)) if stream.length else []
    tally.add(choices_of(past))

    def durable(page: LogPage) -> None:
        choices = list(choices_of(page.lines))
        tally.add(choices)
        metrics.count_choices(choices)
        _after_page_stored(page, spectator_notifier, beat)

    entry_writer = LogWriter(stream, past, now=time.monotonic, durable=durable)

    def waiting() -> None:
        entry_writer.flush()
        spectator_notifier.rest()
        beat.check()

    with ExitStack() as stack:
        with tracing.span("match.start"):
            players = stack.enter_context(seat_players(match, seats, entry_writer, waiting))
        opened = opening_entry(match, seats, past)
        _begin(match, opened)
        pace = MinimumChoiceInterval(match.pace_ms, waiting, replaying=lambda: entry_writer.checking)
        paced = [DelayedPlayer(player, pace) for player in players]
        referee = Referee(game_of(opened), opened, bytes(match.seed), paced, entry_writer)
        with tracing.span("match.play") as span:
            result = referee.play()
            span.set_attributes(entries=stream.length)
    with tracing.span("match.close"):
        close_match(lease, seats, players, result, tally, referee.diverged_seats)
    spectator_notifier.last(stream.length)


BEGIN_SQL = f"""
UPDATE replays_match SET opened_at = %s, version = %s, build = %s WHERE id = %s AND opened_at IS NULL
RETURNING {ASYNC_COMMIT_SQL}
"""  # noqa: S608 - made of constants
"""SQL statement that stores the start of a match, with an asynchronous commit.

A synchronous commit is not needed, because the commit of the log's first page follows and waits for the disk.
"""


def _begin(match: Match, opened: MatchOpened) -> None:
    with connection.cursor() as cursor:
        cursor.execute(BEGIN_SQL, [timezone.now(), opened.version, opened.build, match.pk])


def _after_page_stored(page: LogPage, spectator_notifier: SpectatorNotifier, beat: LeaseHeartbeat) -> None:
    if not is_end_line(page.lines[-1]):  # spectators learn of the end once the result is stored
        spectator_notifier.notify(page.last + 1)
    beat.check()
