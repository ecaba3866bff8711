"""Matches after their last attempt: closed if their logs are complete, otherwise void with the party at fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import structlog
from django.db import OperationalError, transaction
from django.utils import timezone
from msgspec import UNSET

from bots import cage_settings
from bots.faults import blame
from ftk_core.entries import Chose, Clock, Closed, Opened, Voided, choices_of, is_closed, read, write
from ftk_core.fold import read_options, states
from ftk_core.game import Result
from ftk_core.games import build_of, game, game_of
from ftk_core.log import Conflict, lines_of
from ftk_core.referee import opening
from replays.models import Match, MatchSeat
from replays.playing.leases import Lease, LeaseLost
from replays.playing.pokes import Poker
from replays.playing.results import Tally, close
from replays.playing.seating import AbsentPlayer
from replays.playing.signals import match_ended
from replays.seats import mailbox
from replays.store import StreamLog

log = structlog.get_logger(__name__)
ENDED, GIVEN_UP = "ended", "given up"


def give_up(match: Match, seats: list[MatchSeat], lease: Lease, error: Exception | None) -> str:
    """End a match after its last attempt, which failed with an error or, without one, with the death of its worker.

    Returns `ENDED` or `GIVEN_UP`. Raises Conflict, LeaseLost if it is another worker's.
    """
    try:
        return _give_up(match, seats, lease, error)
    except (Conflict, LeaseLost):
        raise
    except OperationalError:  # the database is away, which is no fault of the match
        raise
    except Exception as unread:  # the match must end, even if its log cannot be read
        log.exception("match_log_not_ended", match=match.pk)
        cause = blame(error) if error else "the worker died"
        reason = f"it was not played to its end in {lease.attempts} attempts; in the last one {cause}"
        _mark_void(match, lease, f"{reason}; its log could not be ended: {blame(unread)}")
        return GIVEN_UP


def _give_up(match: Match, seats: list[MatchSeat], lease: Lease, error: Exception | None) -> str:
    lease = replace(lease, stream=StreamLog(match.stream_id, lease.stream.fence))
    attempts = lease.attempts if error else lease.attempts - 1
    seat, name = _last_asked(lease.stream)
    cause = blame(error) if error else "the worker died"
    due = f"; where its log ends, an answer of {name} (seat {seat}) was due" if name and not error else ""
    reason = f"it was not played to its end in {attempts} attempts; in the last one {cause}{due}"
    if not is_through(lease.stream):
        void_match(match, lease, reason, None if error else seat)
        return GIVEN_UP
    try:
        _close_by_log(match, seats, lease)
    except LeaseLost:
        raise
    except Exception:  # the match must end: a result that cannot be written does not exist
        log.exception("result_not_written", match=match.pk)
        _mark_void(match, lease, f"{reason}; its result could not be written down")
        return GIVEN_UP
    return ENDED


def _close_by_log(match: Match, seats: Sequence[MatchSeat], lease: Lease) -> None:
    """Close a match with the result of its log, without starting bots; raises LeaseLost."""
    lines = list(lines_of(lease.stream))
    opened, closed = read(lines[0]), read(lines[-1])
    assert isinstance(opened, Opened)
    assert isinstance(closed, Closed)
    tally = Tally(match, len(seats))
    tally.add(choices_of(lines))
    *_, (_, state) = states(game_of(opened), lines)
    roles = (game_of(opened).result(state) or Result(closed.places, closed.scores)).roles
    result = Result(closed.places, closed.scores, roles)
    close(lease, seats, [AbsentPlayer("", "") for _ in seats], result, tally, set())
    Poker(match.pk).last(lease.stream.length)


def _last_asked(stream: StreamLog) -> tuple[int | None, str]:
    """Return the seat and name that owed an answer at the end of the log; None if there was none."""
    lines = list(lines_of(stream))
    if not lines or is_closed(lines[-1]):
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


def is_through(stream: StreamLog) -> bool:
    """Return True if the log has its last entry, so that only the result must still be written."""
    *_, last = (b"", *lines_of(stream))
    return is_closed(last)


def opened_of(match: Match, seats: list[MatchSeat], past: list[bytes]) -> Opened:
    """Return the opening entry: that of the log if it has one, so that a resumed match keeps it."""
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


def void_match(match: Match, lease: Lease, reason: str, seat: int | None = None) -> None:
    """Void a match; log the reason and, if known, the seat whose answer was due; raises Conflict, LeaseLost."""
    seats = list(match.seats.select_related("version__bot").order_by("seat"))
    with transaction.atomic():
        _set_void(match, lease, reason)
        stream = lease.stream
        beginning = [] if stream.length else [write(opened_of(match, seats, []))]
        voided = Voided(stream.length + len(beginning), reason, UNSET if seat is None else seat)
        stream.append([*beginning, write(voided)], stream.length)
    _tell_void(match, stream.length)


def _mark_void(match: Match, lease: Lease, reason: str) -> None:
    """Void a match whose log is complete; raises LeaseLost."""
    _set_void(match, lease, reason)
    _tell_void(match, lease.stream.length)


def _set_void(match: Match, lease: Lease, reason: str) -> None:
    held = Match.objects.filter(pk=match.pk, holder=lease.holder, status=Match.Status.PLAYING)
    if not held.update(status=Match.Status.VOID, reason=reason, closed_at=timezone.now(), lease_until=None):
        raise LeaseLost(f"match {match.pk} was taken over before it was given up")


def _tell_void(match: Match, length: int) -> None:
    Poker(match.pk).last(length)
    mailbox.close_all(match.pk)
    match_ended.send(sender=Match, match_id=match.pk)
