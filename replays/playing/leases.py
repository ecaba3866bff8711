"""Who may play a match: one worker at a time, for as long as it keeps saying that it lives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, Max, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from bots.turns import Waiting, in_order
from ftk_core.entries import stream_of
from ftk_core.log import GENESIS
from replays.models import SEATS, Mailbox, Match, MatchSeat
from replays.playing.builds import CAN_PLAY, known
from replays.store import UNHURRIED, StreamLog, raise_fence


class LeaseLost(Exception):
    """Raised when a worker finds that a match is no longer its own; it must stop at once."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write one match's stream."""

    match_id: str
    holder: str
    stream: StreamLog
    """Its stream, under the fence that refuses every earlier holder."""
    attempts: int = 1
    """How many have claimed the match, this one included."""


def _length() -> timedelta:
    return timedelta(seconds=settings.LEASE_SECONDS)


FREE = f"""(
    replays_match.status = 'waiting'
    OR (replays_match.status = 'playing' AND replays_match.lease_until < %s)
    OR (replays_match.status = 'adjourned' AND replays_match.resume_at < %s)
) AND {CAN_PLAY}"""
"""Selects the matches that wait for us: never begun, or a worker fell silent, or a person for too long.

Those that other software began wait for a worker that has it.
"""
CLAIMED = f"""
WITH claimed AS (
    UPDATE replays_match
    SET status = 'playing', holder = %s, lease_until = %s, attempts = attempts + 1
    WHERE id = %s AND {FREE} RETURNING attempts
), fenced AS (
    INSERT INTO replays_stream AS stream (id, length, head, fence) SELECT %s, 0, %s, 1 FROM claimed
    ON CONFLICT (id) DO UPDATE SET fence = stream.fence + 1 RETURNING fence, length, head
)
SELECT fence, length, head, attempts, {UNHURRIED} FROM fenced, claimed
"""  # noqa: S608 - of constants
"""Match and stream in one statement. A claim that a loss of power undoes cost nobody anything: nothing was stored."""


def claim(match_id: str, holder: str) -> Lease | None:
    """Return a lease on the match if nobody holds one and it has not ended, else None."""
    stream_id = stream_of(match_id)
    values = [holder, timezone.now() + _length(), match_id, *_free_now(), stream_id, GENESIS]
    with connection.cursor() as cursor:
        cursor.execute(CLAIMED, values)
        row = cursor.fetchone()
    if row is None:
        return None
    fence, length, head, attempts, _ = row
    return Lease(match_id, holder, StreamLog.held(stream_id, fence, length, bytes(head)), attempts)


@transaction.atomic
def take_over(match_id: str, holder: str) -> Lease | None:
    """Return a lease on a match that has not ended, else None; whoever held it until now is refused from here on."""
    going = Match.objects.filter(pk=match_id).exclude(status__in=(Match.Status.CLOSED, Match.Status.VOID))
    taken = going.update(status=Match.Status.PLAYING, holder=holder, lease_until=timezone.now() + _length())
    if not taken:
        return None
    stream_id = stream_of(match_id)
    return Lease(match_id, holder, StreamLog(stream_id, raise_fence(stream_id)))


RENEWED = """
UPDATE replays_match SET lease_until = %s
WHERE status = %s AND (id, holder) IN (SELECT * FROM unnest(%s::text[], %s::text[])) RETURNING id
"""


def renew_all(leases: Sequence[Lease], by: BaseDatabaseWrapper) -> set[str]:
    """Extend leases, and return the matches that are still held; any other was ended, or is another worker's."""
    ids, holders = [lease.match_id for lease in leases], [lease.holder for lease in leases]
    with by.cursor() as cursor:
        cursor.execute(RENEWED, [timezone.now() + _length(), Match.Status.PLAYING, ids, holders])
        return {row[0] for row in cursor.fetchall()}


def release(lease: Lease, *, tried: bool = True, pause: timedelta = timedelta(0)) -> None:
    """Let go of a match that could not go on here, so that a sweeper rings for another worker after a pause.

    Where the worker is to leave, it was not `tried`: that is no attempt.
    """
    Match.objects.filter(pk=lease.match_id, holder=lease.holder, status=Match.Status.PLAYING).update(
        lease_until=timezone.now() + pause, attempts=F("attempts") - int(not tried)
    )


@transaction.atomic
def adjourn(lease: Lease, seat: MatchSeat, until: datetime | None) -> None:
    """Let go of a match that waits for a person, until the answer is there or, without one, until then.

    That is no attempt. An answer that came while we did not look leaves the match to the next worker at once.
    """
    mailbox = Mailbox.objects.select_for_update().get(seat=seat)  # as whoever answers does, first of all
    held = Match.objects.filter(pk=lease.match_id, holder=lease.holder, status=Match.Status.PLAYING)
    status = Match.Status.WAITING if mailbox.answered_at else Match.Status.ADJOURNED
    held.update(status=status, resume_at=until, lease_until=None, holder="", attempts=F("attempts") - 1)


def free() -> QuerySet[Match]:
    """Return the matches that wait for us, as `FREE` says."""
    is_free = RawSQL(FREE, _free_now(), output_field=BooleanField())  # noqa: S611 - put together of constants
    return Match.objects.filter(is_free)


def _free_now() -> list[Any]:
    now = timezone.now()
    return [now, now, *known()]


NEXT = f"""
SELECT id FROM replays_match WHERE kind = %s AND NOT outside AND {FREE} ORDER BY created_at, id LIMIT %s
"""  # noqa: S608 - of constants
"""A statement and no query set: what is asked before each match takes a millisecond to put together anew."""
NEXT_ON_LADDER = NEXT.replace(
    "ORDER BY",
    """ORDER BY (
        SELECT bool_and(EXISTS (
            SELECT 1 FROM replays_matchseat AS earlier
            WHERE earlier.version_id = seat.version_id AND earlier.closed_at IS NOT NULL
        )) FROM replays_matchseat AS seat WHERE seat.match_id = replays_match.id
    ),""",
)
"""First the bouts with a version that has not yet ended any match. Few bouts wait at a time."""


def waits(kind: str) -> bool:
    """Tell whether a match of a kind of the house's waits for us."""
    return bool(_next(kind, 1))


def _next(kind: str, most: int | None) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(NEXT_ON_LADDER if kind == Match.Kind.LADDER else NEXT, [kind, *_free_now(), most])
        return [row[0] for row in cursor.fetchall()]


def waiting_for(kind: str) -> QuerySet[Match]:
    """Return the free matches that wait in a kind's queue."""
    return free().filter(outside=True) if kind == SEATS else free().filter(kind=kind, outside=False)


def in_turn(kind: str, most: int | None = None) -> list[str]:
    """Return the matches of a kind that may be played now, the next one first; no more than so many."""
    if kind not in (SEATS, Match.Kind.FRIENDLY):  # nobody asked for the others, so that all are in one line
        return _next(kind, most)
    waiting = [Waiting(*row) for row in waiting_for(kind).values_list("pk", "asked_by_id", "created_at")]
    if kind == SEATS:
        return _seats_in_turn(waiting)[:most]
    asked = Match.objects.filter(kind=kind, outside=False, asked_by_id__in={thing.author for thing in waiting})
    held = asked.filter(status=Match.Status.PLAYING, lease_until__gte=timezone.now())
    began = dict(asked.exclude(opened_at=None).values_list("asked_by_id").annotate(Max("opened_at")))
    running = Counter[int | None](held.values_list("asked_by_id", flat=True))
    return [str(thing.id) for thing in in_order(waiting, running, began)][:most]


def _seats_in_turn(waiting: list[Waiting]) -> list[str]:
    """Return the matches that wait, the oldest first; of those that one author has asked for, as many as may be played.

    They mostly wait for somebody, so there is no need to take turns; but nobody takes all the threads there are.
    """
    asked = Match.objects.filter(outside=True, asked_by_id__in={thing.author for thing in waiting})
    held = asked.filter(status=Match.Status.PLAYING, lease_until__gte=timezone.now())
    running = Counter[int | None](held.values_list("asked_by_id", flat=True))
    chosen = list[str]()
    for thing in sorted(waiting, key=lambda thing: thing.since):
        if thing.author is None or running[thing.author] < settings.SEATS["each"]:
            running[thing.author] += 1
            chosen.append(str(thing.id))
    return chosen
