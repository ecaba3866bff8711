"""Presence of remote bots, and delivery of their questions and answers."""
# Most functions are one short transaction for many bots, so that 200 seats need few queries.

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from foundation.channel_group_notifications import notify_group
from replays.models import SeatQuestionMailbox
from replays.models.remote_bot_presences import RemoteBotPresence
from replays.seats.seat_question_mailbox import ANSWERS_GROUP

log = structlog.get_logger(__name__)
DATABASE_OUTAGES = (OperationalError, InterfaceError)
"""Errors of a database that is away, in contrast to errors that the stored values cause."""
SPENT_SQL = """
    UPDATE replays_mailbox SET sent_at = NULL, spent_ms = least(2147483647, spent_ms + %(counts)s * greatest(
        0, extract(epoch FROM %(now)s - sent_at) * 1000
    ))::int
    WHERE bot_id = %(bot)s AND sent_at IS NOT NULL AND answered_at IS NULL AND over = ''
"""
FETCH_SQL = """
    UPDATE replays_mailbox m SET sent_at = %(now)s
    FROM replays_matchseat s, replays_attendance t
    WHERE s.id = m.seat_id AND t.bot_id = m.bot_id AND t.connection = ANY(%(connections)s) AND m.sent_at IS NULL
        AND (m.over <> '' OR (m.number > 0 AND m.answered_at IS NULL))
    RETURNING t.connection, s.id, s.match_id, s.seat, m.hello, m.number, m.items, m.line, m.spent_ms, m.over
"""
STORE_SQL = """
    UPDATE replays_mailbox m
    SET answered_at = %(now)s, choice = a.choice, fault = a.fault, note = a.note, took_ms = a.took
    FROM unnest(%(seats)s::bigint[], %(numbers)s::int[], %(choices)s::int[], %(faults)s::text[], %(notes)s::text[],
        %(took)s::int[]) AS a (seat, number, choice, fault, note, took)
    WHERE m.seat_id = a.seat AND m.number = a.number AND m.answered_at IS NULL AND m.over = ''
"""
MAX_SEATS_PER_NOTIFICATION = 300
"""Maximum number of seats in one notification to the workers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingRemoteBotMessage:
    """A message to a remote bot: a question, or the end of a match."""

    connection: str
    seat_id: int
    match_id: str
    seat: int
    hello: str
    number: int
    items: int
    """Number of actions on the question's menu."""
    line: str
    spent_ms: int
    """Milliseconds for which the bot had the question over earlier connections."""
    over: str
    """Last message of the match, in place of a question; empty while the match goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteQuestionOutcome:
    """Outcome of a question to a remote bot: the menu index of its answer, or its fault."""

    seat_id: int
    number: int
    choice: int | None
    fault: str = ""
    note: str = ""
    took_ms: int
    """Milliseconds for which the bot had the question, over all connections."""


def _presence_duration() -> timedelta:
    return timedelta(seconds=settings.SEATS["alive_seconds"])


@transaction.atomic
def connect(bot_id: int) -> tuple[str, list[tuple[str, int]]]:
    """Record a new connection of a bot. Return its id and the bot's seats in unfinished matches."""
    # Unanswered questions are sent again. The time since a question was sent counts as the bot's time, unless the
    # earlier connection was lost because the server process died. A process that lives renews the presence of its
    # connections four times in its duration.
    now, name = timezone.now(), secrets.token_hex(12)
    before = RemoteBotPresence.objects.select_for_update().filter(bot=bot_id).first()
    lives = before is not None and before.closed_at is None and before.alive_until > now
    until = min(now, before.alive_until - _presence_duration() * 3 / 4) if before is not None else now
    with connection.cursor() as cursor:
        cursor.execute(SPENT_SQL, {"bot": bot_id, "now": until, "counts": int(lives)})
    _wake_workers(bot_id)
    new = {"connection": name, "since": now, "alive_until": now + _presence_duration(), "closed_at": None}
    RemoteBotPresence.objects.update_or_create(bot_id=bot_id, defaults=new)
    used = SeatQuestionMailbox.objects.filter(bot=bot_id, over="").order_by("seat")
    return name, list(used.values_list("seat__match", "seat__seat"))


def keep_alive(connections: Collection[str]) -> set[str]:
    """Extend the presence of the connections that are still in use, and return them."""
    # A connection is not in use if it was closed or replaced by a newer one.
    rows = RemoteBotPresence.objects.filter(connection__in=connections, closed_at=None)
    rows.update(alive_until=timezone.now() + _presence_duration())
    return set(rows.values_list("connection", flat=True))


@transaction.atomic
def disconnect(bot_id: int, name: str, *, lost: bool = False) -> None:
    """Record that the connection `name` of a bot has ended. Do nothing if the bot has a newer connection.

    If the server caused the disconnection (`lost`), the bot's absence counts only after a delay.
    """
    # The delay is ``SEATS["lost_seconds"]``, as after the death of a server process.
    now = timezone.now()
    ended = {"alive_until": now} if lost else {"closed_at": now}
    if RemoteBotPresence.objects.filter(bot=bot_id, connection=name).update(**ended):
        with connection.cursor() as cursor:
            cursor.execute(SPENT_SQL, {"bot": bot_id, "now": now, "counts": 1})
        _wake_workers(bot_id)


def _wake_workers(bot_id: int) -> None:
    """After the transaction, notify the workers that wait for answers of a bot that it has come or gone."""
    # They measure its absence; by looking every two seconds they would miss a shorter one.
    asked = SeatQuestionMailbox.objects.filter(bot=bot_id, over="", answered_at=None, number__gt=0)
    seats = list(asked.values_list("seat", flat=True))
    transaction.on_commit(lambda: _notify_workers(seats))


def _notify_workers(seats: Sequence[int]) -> None:
    for start in range(0, len(seats), MAX_SEATS_PER_NOTIFICATION):
        notify_group(ANSWERS_GROUP, seats=seats[start : start + MAX_SEATS_PER_NOTIFICATION])


def fetch_deliveries(connections: Collection[str]) -> list[OutgoingRemoteBotMessage]:
    """Return the unsent messages for the bots of some connections, and mark them as sent."""
    # The time limit of a question runs from now on. Of two connections of a bot, only the newer one gets messages.
    with connection.cursor() as cursor:
        cursor.execute(FETCH_SQL, {"now": timezone.now(), "connections": list(connections)})
        return [
            OutgoingRemoteBotMessage(
                connection=name,
                seat_id=seat_id,
                match_id=match_id,
                seat=seat,
                hello=hello,
                number=number,
                items=items,
                line=line,
                spent_ms=spent_ms,
                over=over,
            )
            for name, seat_id, match_id, seat, hello, number, items, line, spent_ms, over in cursor.fetchall()
        ]


def store_question_outcomes(outcomes: Sequence[RemoteQuestionOutcome]) -> None:
    """Store the answers or faults of questions, and notify the workers.

    Raises an error of `DATABASE_OUTAGES` if the database cannot be reached. The caller may then try again.
    """
    # Outcomes of outdated or answered questions are ignored. An outcome that the database rejects becomes a fault.
    try:
        _store_together(outcomes)
    except DATABASE_OUTAGES:
        raise
    except Exception as error:  # the outcomes of other bots must be stored whatever one bot has sent
        log.warning("remote_answers_stored_singly", outcomes=len(outcomes), exc_info=error)
        for outcome in outcomes:
            _store_singly(outcome)


def _store_singly(outcome: RemoteQuestionOutcome) -> None:
    """Store one answer, or a fault of the bot if the database rejects it."""
    fault = replace(outcome, choice=None, note="", fault="malformed: the answer cannot be stored")
    for candidate in (outcome, fault):
        try:
            _store_together([candidate])
        except DATABASE_OUTAGES:
            raise
        except Exception:
            log.exception("remote_answer_refused", seat=outcome.seat_id, question=outcome.number)
        else:
            return


def _store_together(outcomes: Sequence[RemoteQuestionOutcome]) -> None:
    seats = [outcome.seat_id for outcome in outcomes]
    columns: dict[str, Any] = {
        "now": timezone.now(),
        "seats": seats,
        "numbers": [outcome.number for outcome in outcomes],
        "choices": [outcome.choice for outcome in outcomes],
        "faults": [outcome.fault for outcome in outcomes],
        "notes": [outcome.note for outcome in outcomes],
        "took": [outcome.took_ms for outcome in outcomes],
    }
    with connection.cursor() as cursor:
        cursor.execute(STORE_SQL, columns)
    _notify_workers(seats)
