"""Ending of matches after their last allowed attempt."""
# A match whose log is complete is closed with its result. Any other match ends without a result.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import structlog
from django.db import OperationalError, transaction
from django.utils import timezone
from msgspec import UNSET

from bots import sandbox_settings
from bots.public_job_failure_messages import describe_fault
from bots.remote_bots import PERSON
from ftk_core.analysis.match_log_rerun_check import list_asked_seats, list_missing_entries
from ftk_core.game import MatchResult
from ftk_core.games import build_of, game, game_of
from ftk_core.hash_chained_log import LogWriteConflictError, lines_of
from ftk_core.kit.protocol.answer_note_parsing import read_numbered
from ftk_core.kit.protocol.protocol_lines import MatchOverLine
from ftk_core.log_entries import MatchAbandoned, MatchFinished, MatchOpened, choices_of, is_end_line, read, write
from ftk_core.match_state_from_log import read_options, states
from ftk_core.referee import build_opening
from replays.event_stream_storage import EventAppender
from replays.models import Match, MatchSeat
from replays.playing.match_django_signals import match_ended, player_names_requested
from replays.playing.match_leases import MatchLease, MatchLeaseLost
from replays.playing.match_players import UnbuildableBotPlayer
from replays.playing.match_results import TimeAndMissedAnswersBySeat, close_match
from replays.playing.spectator_notifications import SpectatorNotifier
from replays.seats import seat_question_mailbox

log = structlog.get_logger(__name__)
ENDED, GIVEN_UP = "ended", "given up"


def give_up_after_error(match: Match, seats: list[MatchSeat], lease: MatchLease, error: Exception | None) -> str:
    """End a match after its last attempt. The error None means that the worker died.

    Raises LogWriteConflictError or MatchLeaseLost if another worker has the match.
    """
    # Returns ENDED if the log has a result that could be stored, otherwise GIVEN_UP.
    try:
        return _give_up(match, seats, lease, error)
    except (LogWriteConflictError, MatchLeaseLost):
        raise
    except OperationalError:  # the database is unreachable, which is no fault of the match
        raise
    except Exception as unread:  # noqa: BLE001 - the match must end, even if its log cannot be read
        cause = describe_fault(error) if error else "the worker died"
        reason = f"it was not played to its end in {lease.attempts} attempts; in the last one {cause}"
        void_without_log(match, lease, reason, unread)
        return GIVEN_UP


def _give_up(match: Match, seats: list[MatchSeat], lease: MatchLease, error: Exception | None) -> str:
    lease = replace(lease, stream=EventAppender(match.stream_id, lease.stream.fence))
    attempts = lease.attempts if error else lease.attempts - 1
    seats_to_answer = list_seats_to_answer(lease.stream)
    seat, name = next(iter(seats_to_answer.items()), (None, ""))
    cause = describe_fault(error) if error else "the worker died"
    due = f"; where its log ends, an answer of {name} (seat {seat}) was due" if name and not error else ""
    reason = f"it was not played to its end in {attempts} attempts; in the last one {cause}{due}"
    if not complete_log(match, lease.stream):
        void_match(match, lease, reason, None if error else seat)
        return GIVEN_UP
    try:
        _close_by_log(match, seats, lease)
    except MatchLeaseLost:
        raise
    except Exception:  # the match must end, even if its result cannot be stored
        log.exception("result_not_written", match=match.pk)
        _mark_void(match, lease, f"{reason}; its result could not be written down")
        return GIVEN_UP
    return ENDED


def _close_by_log(match: Match, seats: Sequence[MatchSeat], lease: MatchLease) -> None:
    """Close a match with the result in its complete log, without starting bots; raises MatchLeaseLost."""
    lines = list(lines_of(lease.stream))
    opened, closed = read(lines[0]), read(lines[-1])
    assert isinstance(opened, MatchOpened)
    assert isinstance(closed, MatchFinished)
    tally = TimeAndMissedAnswersBySeat(match, len(seats))
    tally.add(choices_of(lines))
    *_, (_, state) = states(game_of(opened), lines)
    roles = (game_of(opened).result(state) or MatchResult(closed.places, closed.scores)).roles
    result = MatchResult(closed.places, closed.scores, roles)
    close_match(lease, seats, list(map(_make_stand_in, seats)), result, tally, set())
    for seat in seats:
        seat_question_mailbox.close_mailbox(seat, MatchOverLine(result.places))
    SpectatorNotifier(match.pk).last(lease.stream.length)


def _make_stand_in(seat: MatchSeat) -> UnbuildableBotPlayer:
    """Return a player that is not asked, with the notes and faults that are stored for the seat."""
    seat.refresh_from_db(fields=("notes", "faults"))
    player = UnbuildableBotPlayer("", "")
    player.notes, player.faults = read_numbered(seat.notes), read_numbered(seat.faults)
    return player


def list_seats_to_answer(stream: EventAppender) -> dict[int, str]:
    """Return the seats that had to answer next when the log broke off, each with its bot's name."""
    lines = list(lines_of(stream))
    if not lines or is_end_line(lines[-1]):
        return {}
    opened = read(lines[0])
    assert isinstance(opened, MatchOpened)
    return {seat: opened.players[seat] for seat in list_asked_seats(game_of(opened), lines)}


def complete_log(match: Match, stream: EventAppender) -> bool:
    """Return True if a match's log has its closing entry. If only entries after the last choice lack, append them.

    Raises LogWriteConflictError if another worker has the match.
    """
    # A worker can stop between the last choice and the closing entry. The verifier refuses a match that was over but
    # has no result, which needs no bot.
    lines = list(lines_of(stream))
    if not lines or is_end_line(lines[-1]):
        return bool(lines)
    missing = list_missing_entries(lines, bytes(match.seed))
    if missing:
        stream.append(missing, len(lines))
    return bool(missing)


def opening_entry(match: Match, seats: list[MatchSeat], past: list[bytes]) -> MatchOpened:
    """Return the opening entry of a match: decoded from the log lines `past`, or a new entry if `past` is empty."""
    if past:
        first = read(past[0])
        assert isinstance(first, MatchOpened)
        return first
    rules = game(match.game)
    return build_opening(
        rules,
        match.stream_id,
        _name_players(match, seats),
        bytes(match.seed),
        clock=match.clock,
        build=build_of(match.game),
        cage=sandbox_settings.read_sandbox().backend,
        options=read_options(rules, match.options or "{}"),
    )


def _name_players(match: Match, seats: Sequence[MatchSeat]) -> list[str]:
    # A league names a person even after the account was deleted: its events and its matches must agree.
    published: dict[int, str] = {}
    if any(seat.version.bot.kind == PERSON for seat in seats):
        for _, names in player_names_requested.send(sender=Match, match_id=match.pk):
            published |= cast("dict[int, str]", names)
    return [published.get(seat.version_id, seat.version.label) for seat in seats]


def void_match(match: Match, lease: MatchLease, reason: str, seat: int | None = None) -> None:
    """End a match without a result, and write the reason to its log.

    Raises LogWriteConflictError or MatchLeaseLost if another worker has the match.
    """
    seats = list(match.seats.select_related("version__bot").order_by("seat"))
    with transaction.atomic():
        _set_void(match, lease, reason)
        stream = lease.stream
        beginning = [] if stream.length else [write(opening_entry(match, seats, []))]
        voided = MatchAbandoned(stream.length + len(beginning), reason, UNSET if seat is None else seat)
        stream.append([*beginning, write(voided)], stream.length)
    _notify_void(match, stream.length)


def void_without_log(match: Match, lease: MatchLease, reason: str, error: Exception) -> None:
    """End a match without a result and without writing to its log, because the log cannot be read or completed.

    Raises MatchLeaseLost if another worker has the match.
    """
    log.error("match_log_not_ended", match=match.pk, exc_info=error)
    _mark_void(match, lease, f"{reason}; its log could not be ended: {describe_fault(error)}")


def _mark_void(match: Match, lease: MatchLease, reason: str) -> None:
    """End a match without a result, without appending to its log; raises MatchLeaseLost."""
    _set_void(match, lease, reason)
    _notify_void(match, lease.stream.length)


def _set_void(match: Match, lease: MatchLease, reason: str) -> None:
    held = Match.objects.filter(pk=match.pk, holder=lease.holder, status=Match.Status.PLAYING)
    if not held.update(status=Match.Status.VOID, reason=reason, closed_at=timezone.now(), lease_until=None):
        raise MatchLeaseLost(f"match {match.pk} was taken over before it was given up")


def _notify_void(match: Match, length: int) -> None:
    SpectatorNotifier(match.pk).last(length)
    seat_question_mailbox.close_mailboxes(match.pk)
    match_ended.send(sender=Match, match_id=match.pk, by_hand=False)
