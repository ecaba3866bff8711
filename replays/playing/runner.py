"""Match runner: plays a match in real bot processes, from the state of its log."""

from __future__ import annotations

import os
import socket
import time
import uuid
from contextlib import ExitStack
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import connection
from django.utils import timezone

from bots import cage_settings
from bots.cage import Cage
from bots.cage.abilities import lacking
from bots.cage.probe import require
from bots.meters import count_any
from bots.worker_queries import is_reported
from foundation import tracing
from foundation.attempts import is_last, pause_after
from foundation.draining import Draining
from ftk_core.entries import Opened, choices_of, is_closed
from ftk_core.games import game_of
from ftk_core.kit.languages import LANGUAGES
from ftk_core.log import Conflict, Page, lines_of
from ftk_core.referee import Referee
from ftk_core.scribe import Scribe
from replays import meters, traces
from replays.models import Match, MatchSeat
from replays.playing.giving_up import ENDED, give_up, opened_of, void_match
from replays.playing.heartbeat import Heartbeat
from replays.playing.leases import Lease, LeaseLost, adjourn, claim, release
from replays.playing.pace import Pace, PacedPlayer
from replays.playing.pokes import Poker
from replays.playing.results import Tally, close
from replays.playing.seating import is_caged, seated
from replays.playing.signals import match_ended
from replays.seats.players import Adjourned
from replays.store import UNHURRIED

log = structlog.get_logger(__name__)
REPORTED_TIMES = 24
"""Factor of the waiting time for a language that a worker has reported before: it may only be away."""
PUT_BACK, LOST = "put back", "lost"
READ = ("match", "version__bot", "version__package")


def holder_name() -> str:
    """Return a unique holder name for a claim of this worker."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def play_match(match_id: str) -> bool:
    """Play the match to its end if it is free; return False if it is another worker's, ended, or lost meanwhile.

    Raises CageUnavailable before it touches anything if the sandbox does not hold.
    """
    cage = cage_settings.read_cage()
    require(cage)
    seats = list(MatchSeat.objects.select_related(*READ).filter(match=match_id).order_by("seat"))
    if lack := _lacking(cage, seats):
        language, reason = lack
        log.warning("match_left_to_others", match=match_id, reason=reason)
        _end_if_nobody_can(seats[0].match, language)
        return False
    lease = claim(match_id, holder_name())
    if lease is None:
        return False
    match, context = seats[0].match, traces.context_of(match_id)  # a claim changes no field of it that is used here
    if lease.attempts == 1:
        tracing.mark("match.wait", [context], match.created_at)
    with tracing.span("match", context, match=match_id, game=match.game, attempt=lease.attempts) as here:
        came_of_it = _held(match, seats, lease)
        here.say(outcome=came_of_it)
    if came_of_it == ENDED:
        match_ended.send(sender=Match, match_id=match_id)
    return came_of_it == ENDED


def _held(match: Match, seats: list[MatchSeat], lease: Lease) -> str:
    """Play a match that we hold; return the outcome as a word."""
    try:
        if lease.attempts > settings.ATTEMPTS:
            return give_up(match, seats, lease, None)
        with Heartbeat(lease) as beat, meters.PLAYING.track_inprogress():
            _play(match, seats, lease, beat)
    except (Conflict, LeaseLost) as error:
        log.warning("match_lost", match=match.pk, reason=str(error))
        meters.LEASES_LOST.inc()
        return LOST
    except Adjourned as wait:
        adjourn(lease, wait.seat, wait.until)
        return "adjourned"
    except Draining as error:
        log.warning("match_put_back", match=match.pk, reason=str(error))
        release(lease, tried=False)
        return PUT_BACK
    except Exception as error:  # any error is a failed attempt, and attempts are bounded
        log.warning("match_failed", match=match.pk, attempt=lease.attempts, reason=str(error), exc_info=error)
        return _failed(match, seats, lease, error)
    return ENDED


def _failed(match: Match, seats: list[MatchSeat], lease: Lease, error: Exception) -> str:
    """Put back a match that could not be played, or give it up after the last attempt."""
    connection.close_if_unusable_or_obsolete()
    count_any(error)
    try:
        if is_last(lease.attempts):
            return give_up(match, seats, lease, error)
        release(lease, pause=pause_after(lease.attempts))
    except (Conflict, LeaseLost) as late:
        log.warning("match_lost", match=match.pk, reason=str(late))
        return LOST
    return PUT_BACK


def _lacking(cage: Cage, seats: list[MatchSeat]) -> tuple[str, str] | None:
    """Return a language of the match's bots that this machine cannot run, and the missing part."""
    languages = {seat.version.package.command[0] for seat in seats if is_caged(seat)}
    lacks = ((language, lacking(cage, language)) for language in sorted(languages))
    return next((lack for lack in lacks if lack[1]), None)


def _end_if_nobody_can(match: Match, language: str) -> None:
    """Give up a match that has waited too long for a worker with a language."""
    patience = timedelta(seconds=settings.LACK_SECONDS * (REPORTED_TIMES if is_reported(language) else 1))
    if timezone.now() - match.created_at < patience or (lease := claim(match.pk, holder_name())) is None:
        return
    title = LANGUAGES[language].title
    reason = (
        f"no worker of this arena played {title} within {patience.total_seconds() / 3600:.3g} hours; the organiser"
        f" installs {title} on a worker and has the match played again, or the bot is sent in another language"
    )
    try:
        void_match(match, lease, reason)
    except (Conflict, LeaseLost) as late:
        log.warning("match_lost", match=match.pk, reason=str(late))


def _play(match: Match, seats: list[MatchSeat], lease: Lease, beat: Heartbeat) -> None:
    stream, poker, tally = lease.stream, Poker(match.id), Tally(match, len(seats))
    past = list(lines_of(stream)) if stream.length else []
    tally.add(choices_of(past))

    def durable(page: Page) -> None:
        choices = list(choices_of(page.lines))
        tally.add(choices)
        meters.count_choices(choices)
        _durable(page, poker, beat)

    scribe = Scribe(stream, past, now=time.monotonic, durable=durable)

    def waiting() -> None:
        scribe.flush()
        poker.rest()
        beat.check()

    with ExitStack() as stack:
        with tracing.span("match.start"):
            players = stack.enter_context(seated(match, seats, scribe, waiting))
        opened = opened_of(match, seats, past)
        _begin(match, opened)
        pace = Pace(match.pace_ms, waiting, replaying=lambda: scribe.checking)
        paced = [PacedPlayer(player, pace) for player in players]
        referee = Referee(game_of(opened), opened, bytes(match.seed), paced, scribe)
        with tracing.span("match.play") as here:
            result = referee.play()
            here.say(entries=stream.length)
    with tracing.span("match.close"):
        close(lease, seats, players, result, tally, referee.strays)
    poker.last(stream.length)


BEGUN = f"""
UPDATE replays_match SET opened_at = %s, version = %s, build = %s WHERE id = %s AND opened_at IS NULL
RETURNING {UNHURRIED}
"""  # noqa: S608 - of constants
"""The first page of the log, which is stored after this, waits for the disk."""


def _begin(match: Match, opened: Opened) -> None:
    with connection.cursor() as cursor:
        cursor.execute(BEGUN, [timezone.now(), opened.version, opened.build, match.pk])


def _durable(page: Page, poker: Poker, beat: Heartbeat) -> None:
    if not is_closed(page.lines[-1]):  # spectators learn of the end once the result is stored
        poker.poke(page.last + 1)
    beat.check()
