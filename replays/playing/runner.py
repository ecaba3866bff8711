"""Play one match in real bot processes, from wherever its log stands, once."""

from __future__ import annotations

import os
import socket
import time
import uuid
from contextlib import ExitStack

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from msgspec import UNSET

from bots import cage_settings
from bots.cage import Cage
from bots.cage.abilities import lacking
from bots.cage.probe import require
from bots.cage.runtime import CageUnavailable
from bots.meters import count_fault
from foundation import tracing
from foundation.draining import Draining
from ftk_core.entries import Chose, Clock, Opened, Voided, choices_of, is_closed, read, write
from ftk_core.fold import read_options, states
from ftk_core.games import build_of, game, game_of
from ftk_core.kit.holding import BuildFailed
from ftk_core.log import Conflict, Page, lines_of
from ftk_core.players import HostFault
from ftk_core.referee import Referee, opening
from ftk_core.scribe import Scribe
from replays import meters, traces
from replays.models import Match, MatchSeat
from replays.playing.heartbeat import Heartbeat
from replays.playing.leases import Lease, LeaseLost, adjourn, claim, release
from replays.playing.pace import Pace, PacedPlayer
from replays.playing.pokes import Poker
from replays.playing.results import Tally, close
from replays.playing.seating import is_caged, seated
from replays.playing.signals import match_ended
from replays.seats import mailbox
from replays.seats.players import Adjourned
from replays.store import UNHURRIED, StreamLog

log = structlog.get_logger(__name__)
ENDED = "ended"
READ = ("match", "version__bot", "version__package")


def holder_name() -> str:
    """Return a name for this worker's claim that no other claim has."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def play_match(match_id: str) -> bool:
    """Play the match to its end if it is free; False when it is somebody else's, ended, or was lost on the way.

    Raises CageUnavailable, before anything is touched, where the cage does not hold.
    """
    cage = cage_settings.read_cage()
    require(cage)
    seats = list(MatchSeat.objects.select_related(*READ).filter(match=match_id).order_by("seat"))
    if lacks := _lacking(cage, seats):
        log.warning("match_left_to_others", match=match_id, reason=lacks)
        return False
    lease = claim(match_id, holder_name())
    if lease is None:
        return False
    match, context = seats[0].match, traces.context_of(match_id)  # nothing of it that is used here changes by a claim
    if lease.attempts == 1:
        tracing.mark("match.wait", [context], match.created_at)
    with tracing.span("match", context, match=match_id, game=match.game, attempt=lease.attempts) as here:
        came_of_it = _held(match, seats, lease)
        here.say(outcome=came_of_it)
    if came_of_it == ENDED:
        match_ended.send(sender=Match, match_id=match_id)
    return came_of_it == ENDED


def _held(match: Match, seats: list[MatchSeat], lease: Lease) -> str:
    """Play a match that is ours; return in a word what came of it."""
    try:
        if lease.attempts > settings.ATTEMPTS and not is_through(lease.stream):
            _void_deadly(match, lease)
            return "deadly"
        with Heartbeat(lease) as beat, meters.PLAYING.track_inprogress():
            _play(match, seats, lease, beat)
    except (Conflict, LeaseLost) as error:
        log.warning("match_lost", match=match.pk, reason=str(error))
        meters.LEASES_LOST.inc()
        return "lost"
    except Adjourned as wait:
        adjourn(lease, wait.seat, wait.until)
        return "adjourned"
    except (Draining, HostFault, CageUnavailable, BuildFailed) as error:
        log.warning("match_put_back", match=match.pk, reason=str(error))
        if not isinstance(error, Draining):
            count_fault(error)
        release(lease, tried=isinstance(error, HostFault))
        return "put back"
    return ENDED


def _lacking(cage: Cage, seats: list[MatchSeat]) -> str:
    """Return what this machine lacks to run the bots of a match; empty when it lacks nothing."""
    languages = {seat.version.package.command[0] for seat in seats if is_caged(seat)}
    return next(filter(None, (lacking(cage, language) for language in sorted(languages))), "")


def _void_deadly(match: Match, lease: Lease) -> None:
    """Give up a match that killed its workers, and name whose answer was due."""
    seat, name = _last_asked(lease.stream)
    due = f"; where its log ends, an answer of {name} (seat {seat}) was due" if name else ""
    void_match(match, lease, f"{lease.attempts - 1} workers died playing it{due}", seat)


def _last_asked(stream: StreamLog) -> tuple[int | None, str]:
    """Return who owed an answer where the log ends, by seat and by name; None when nobody did."""
    lines = list(lines_of(stream))
    if not lines:
        return None, ""
    opened = read(lines[0])
    assert isinstance(opened, Opened)
    *_, (_, state) = states(game_of(opened), lines)
    chosen: set[int] = set()
    for line in reversed(lines):
        entry = read(line)
        if not isinstance(entry, Chose):
            break
        chosen.add(entry.seat)
    due = [seat for seat in game_of(opened).turn(state) if seat not in chosen]
    return (due[0], opened.players[due[0]]) if due else (None, "")


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
        opened = _opened(match, seats, past)
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
"""The first page of the log, which is stored behind this, waits for the disk."""


def _begin(match: Match, opened: Opened) -> None:
    with connection.cursor() as cursor:
        cursor.execute(BEGUN, [timezone.now(), opened.version, opened.build, match.pk])


def _durable(page: Page, poker: Poker, beat: Heartbeat) -> None:
    if not is_closed(page.lines[-1]):  # of its end they are told once the result is there
        poker.poke(page.last + 1)
    beat.check()


def _opened(match: Match, seats: list[MatchSeat], past: list[bytes]) -> Opened:
    """Return the opening entry: the one in the log if there is one, so that a resumed match keeps its own."""
    if past:
        first = read(past[0])
        assert isinstance(first, Opened)
        return first
    rules = game(match.game)
    return opening(
        rules,
        match.stream_id,
        [seat.version.label for seat in seats],
        bytes(match.seed),
        clock=Clock(match.move_ms, match.bank_ms),
        build=build_of(match.game),
        cage=cage_settings.read_cage().tier,
        options=read_options(rules, match.options or "{}"),
    )


def is_through(stream: StreamLog) -> bool:
    """Tell whether a match's log has its last entry already, so that only the result is still to be written."""
    *_, last = (b"", *lines_of(stream))
    return is_closed(last)


def void_match(match: Match, lease: Lease, reason: str, seat: int | None = None) -> None:
    """Give a match up, and say in its log why and, if known, whose answer was due; raises Conflict, LeaseLost."""
    seats = list(match.seats.select_related("version__bot").order_by("seat"))
    with transaction.atomic():
        held = Match.objects.filter(pk=match.pk, holder=lease.holder, status=Match.Status.PLAYING)
        if not held.update(status=Match.Status.VOID, reason=reason, closed_at=timezone.now(), lease_until=None):
            raise LeaseLost(f"match {match.pk} was taken over before it was given up")
        stream = lease.stream
        beginning = [] if stream.length else [write(_opened(match, seats, []))]
        voided = Voided(stream.length + len(beginning), reason, UNSET if seat is None else seat)
        stream.append([*beginning, write(voided)], stream.length)
    Poker(match.pk).last(stream.length)
    mailbox.close_all(match.pk)
    match_ended.send(sender=Match, match_id=match.pk)
