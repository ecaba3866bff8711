"""Play one match in real bot processes, from wherever its log stands, once."""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections import Counter
from contextlib import ExitStack

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from msgspec import UNSET

from bots import cage_settings
from bots.cage.abilities import lacking
from bots.cage.probe import require
from bots.cage.runtime import CageUnavailable
from bots.meters import count_fault
from foundation import tracing
from foundation.draining import Draining
from ftk_core.entries import Chose, Clock, Opened, Voided, is_chose, is_closed, read, write
from ftk_core.fold import read_options, states
from ftk_core.game import Result
from ftk_core.games import build_of, game, game_of
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.trial import kept_notes, printable
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
from replays.playing.seating import SeatedPlayer, is_caged, seated
from replays.playing.signals import match_ended
from replays.seats import mailbox
from replays.seats.players import Adjourned
from replays.store import StreamLog

log = structlog.get_logger(__name__)
RESULT = ["place", "score", "role", "missed", "spent", "excuses", "memory", "reproducible", "faults", "notes", "stderr"]
"""What is written of a seat when its match is over."""
ENDED = "ended"


def holder_name() -> str:
    """Return a name for this worker's claim that no other claim has."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def play_match(match_id: str) -> bool:
    """Play the match to its end if it is free; False when it is somebody else's, ended, or was lost on the way.

    Raises CageUnavailable, before anything is touched, where the cage does not hold.
    """
    require(cage_settings.read_cage())
    if lacks := _lacking(match_id):
        log.warning("match_left_to_others", match=match_id, reason=lacks)
        return False
    lease = claim(match_id, holder_name())
    if lease is None:
        return False
    match, context = Match.objects.get(pk=match_id), traces.context_of(match_id)
    if match.attempts == 1:
        tracing.mark("match.wait", [context], match.created_at)
    with tracing.span("match", context, match=match_id, game=match.game, attempt=match.attempts) as here:
        came_of_it = _held(match, lease)
        here.say(outcome=came_of_it)
    if came_of_it == ENDED:
        match_ended.send(sender=Match, match_id=match_id)
    return came_of_it == ENDED


def _held(match: Match, lease: Lease) -> str:
    """Play a match that is ours; return in a word what came of it."""
    try:
        if match.attempts > settings.ATTEMPTS and not is_through(match):
            _void_deadly(match, lease)
            return "deadly"
        with Heartbeat(lease) as beat, meters.PLAYING.track_inprogress():
            _play(match, lease, beat)
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


def _lacking(match_id: str) -> str:
    """Return what this machine lacks to run the bots of a match; empty when it lacks nothing."""
    caged = is_caged(MatchSeat.objects.filter(match=match_id))
    for command in caged.values_list("version__package__command", flat=True):
        if lacks := lacking(cage_settings.read_cage(), command[0]):
            return lacks
    return ""


def _void_deadly(match: Match, lease: Lease) -> None:
    """Give up a match that killed its workers, and name whose answer was due."""
    seat, name = _last_asked(match)
    due = f"; where its log ends, an answer of {name} (seat {seat}) was due" if name else ""
    void_match(match, lease, f"{match.attempts - 1} workers died playing it{due}", seat)


def _last_asked(match: Match) -> tuple[int | None, str]:
    """Return who owed an answer where the log ends, by seat and by name; None when nobody did."""
    lines = list(lines_of(StreamLog(match.stream_id)))
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


def _play(match: Match, lease: Lease, beat: Heartbeat) -> None:
    seats = list(match.seats.select_related("version__bot", "version__package").order_by("seat"))
    stream, poker = StreamLog(match.stream_id, lease.fence), Poker(match.id)
    past = list(lines_of(stream)) if stream.length else []
    scribe = Scribe(stream, past, now=time.monotonic, durable=lambda page: _durable(page, poker, beat))

    def waiting() -> None:
        scribe.flush()
        poker.rest()
        beat.check()

    with ExitStack() as stack:
        with tracing.span("match.start"):
            players = stack.enter_context(seated(match, seats, scribe, waiting))
        opened = _opened(match, seats, past)
        begun = {"opened_at": timezone.now(), "version": opened.version, "build": opened.build}
        Match.objects.filter(pk=match.pk, opened_at=None).update(**begun)
        pace = Pace(match.pace_ms, waiting, replaying=lambda: scribe.checking)
        paced = [PacedPlayer(player, pace) for player in players]
        referee = Referee(game_of(opened), opened, bytes(match.seed), paced, scribe)
        with tracing.span("match.play") as here:
            result = referee.play()
            here.say(entries=stream.length)
    with tracing.span("match.close"):
        _close(match, lease, result, seats, players, referee.strays)
    poker.last(stream.length)


def _durable(page: Page, poker: Poker, beat: Heartbeat) -> None:
    meters.count_choices(page.lines)
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


@transaction.atomic
def _close(
    match: Match, lease: Lease, result: Result, seats: list[MatchSeat], players: list[SeatedPlayer], strays: set[int]
) -> None:
    """Write the result beside the log that says the same; raises LeaseLost when the match is another's by now."""
    closed = Match.objects.filter(pk=match.pk, holder=lease.holder, status=Match.Status.PLAYING).update(
        status=Match.Status.CLOSED, closed_at=timezone.now(), lease_until=None
    )
    if not closed:
        raise LeaseLost(f"match {match.pk} was taken over before its result was written")
    missed, spent = _answers(match, len(seats))
    for seat, player in zip(seats, players, strict=True):
        seat.place, seat.score = result.places[seat.seat], result.scores[seat.seat]
        seat.role = result.roles[seat.seat] if result.roles else ""
        seat.missed, seat.spent = missed[seat.seat], spent[seat.seat]
        seat.excuses, seat.memory = missed[seat.seat].total(), player.memory
        seat.reproducible = seat.seat not in strays
        seat.faults = [printable(f"question {number}: {detail}") for number, detail in player.faults]
        seat.notes = kept_notes(player.notes)
        seat.stderr = printable(player.stderr)
        seat.save(update_fields=RESULT)


def _answers(match: Match, seats: int) -> tuple[list[Counter[str]], list[float]]:
    """Return by seat how often menu[0] was played for it, by reason, and the part of its clock that it used.

    As the log has it, earlier workers included.
    """
    missed, used, allowed = [Counter[str]() for _ in range(seats)], [0] * seats, [match.bank_ms] * seats
    for line in lines_of(StreamLog(match.stream_id)):
        if is_chose(line):
            entry = read(line)
            assert isinstance(entry, Chose)
            missed[entry.seat].update([entry.excuse] if entry.excuse else [])
            used[entry.seat] += entry.charged_us
            allowed[entry.seat] += match.move_ms
    return missed, [us / 1000 / ms if ms else 0.0 for us, ms in zip(used, allowed, strict=True)]


def is_through(match: Match) -> bool:
    """Tell whether the log has its last entry already, so that only the result is still to be written."""
    *_, last = (b"", *lines_of(StreamLog(match.stream_id)))
    return is_closed(last)


def void_match(match: Match, lease: Lease, reason: str, seat: int | None = None) -> None:
    """Give a match up, and say in its log why and, if known, whose answer was due; raises Conflict, LeaseLost."""
    seats = list(match.seats.select_related("version__bot").order_by("seat"))
    with transaction.atomic():
        held = Match.objects.filter(pk=match.pk, holder=lease.holder, status=Match.Status.PLAYING)
        if not held.update(status=Match.Status.VOID, reason=reason, closed_at=timezone.now(), lease_until=None):
            raise LeaseLost(f"match {match.pk} was taken over before it was given up")
        stream = StreamLog(match.stream_id, lease.fence)
        beginning = [] if stream.length else [write(_opened(match, seats, []))]
        voided = Voided(stream.length + len(beginning), reason, UNSET if seat is None else seat)
        stream.append([*beginning, write(voided)], stream.length)
    Poker(match.pk).last(stream.length)
    mailbox.close_all(match.pk)
    match_ended.send(sender=Match, match_id=match.pk)
