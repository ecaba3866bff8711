"""Leases on matches: one worker plays a match while it keeps renewing its lease."""

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
    """Raised when a worker no longer holds a match; it must stop at once."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Right to write one match's stream."""

    match_id: str
    holder: str
    stream: StreamLog
    """Stream under the fence that refuses every earlier holder."""
    attempts: int = 1
    """Number of claims, including this one."""


def _length() -> timedelta:
    return timedelta(seconds=settings.LEASE_SECONDS)


FREE = f"""(
    replays_match.status = 'waiting'
    OR (replays_match.status = 'playing' AND replays_match.lease_until < %s)
    OR (replays_match.status = 'adjourned' AND replays_match.resume_at < %s)
) AND {CAN_PLAY}"""
"""SQL condition of matches that can be claimed: waiting, or with an expired lease or adjournment.

Matches begun by other software are left to workers that have it.
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
"""Claims match and stream in one statement. If a power failure undoes it, nothing is lost: nothing was stored."""


def claim(match_id: str, holder: str) -> Lease | None:
    """Return a lease on the match if it is free and has not ended, else None."""
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
    """Return a lease on a match that has not ended, else None; the previous holder is refused from now on."""
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
    """Extend leases, and return the matches still held; the others have ended or belong to another worker."""
    ids, holders = [lease.match_id for lease in leases], [lease.holder for lease in leases]
    with by.cursor() as cursor:
        cursor.execute(RENEWED, [timezone.now() + _length(), Match.Status.PLAYING, ids, holders])
        return {row[0] for row in cursor.fetchall()}


def release(lease: Lease, *, tried: bool = True, pause: timedelta = timedelta(0)) -> None:
    """Release a match that cannot go on here, so that a sweeper enqueues it for another worker after a pause.

    A worker that must leave passes `tried=False`: that does not count as an attempt.
    """
    Match.objects.filter(pk=lease.match_id, holder=lease.holder, status=Match.Status.PLAYING).update(
        lease_until=timezone.now() + pause, attempts=F("attempts") - int(not tried)
    )


@transaction.atomic
def adjourn(lease: Lease, seat: MatchSeat, until: datetime | None) -> None:
    """Release a match that waits for a person, until the answer or, without one, until a time.

    That does not count as an attempt. If an answer came meanwhile, the next worker may claim the match at once.
    """
    mailbox = Mailbox.objects.select_for_update().get(seat=seat)  # the same lock order as in `by_hand.answer`
    held = Match.objects.filter(pk=lease.match_id, holder=lease.holder, status=Match.Status.PLAYING)
    status = Match.Status.WAITING if mailbox.answered_at else Match.Status.ADJOURNED
    held.update(status=status, resume_at=until, lease_until=None, holder="", attempts=F("attempts") - 1)


def free() -> QuerySet[Match]:
    """Return the matches that satisfy `FREE`."""
    is_free = RawSQL(FREE, _free_now(), output_field=BooleanField())  # noqa: S611 - put together of constants
    return Match.objects.filter(is_free)


def _free_now() -> list[Any]:
    now = timezone.now()
    return [now, now, *known()]


NEXT = f"""
SELECT id FROM replays_match WHERE kind = %s AND NOT outside AND {FREE} ORDER BY created_at, id LIMIT %s
"""  # noqa: S608 - of constants
"""A statement instead of a query set, whose construction takes a millisecond before each match."""
NEXT_ON_LADDER = NEXT.replace(
    "ORDER BY",
    """ORDER BY (
        SELECT bool_and(EXISTS (
            SELECT 1 FROM replays_matchseat AS earlier
            WHERE earlier.version_id = seat.version_id AND earlier.closed_at IS NOT NULL
        )) FROM replays_matchseat AS seat WHERE seat.match_id = replays_match.id
    ),""",
)
"""Bouts with a version that has not ended any match come first. Few bouts wait at a time."""


def waits(kind: str) -> bool:
    """Return True if a match of this kind without outside seats waits."""
    return bool(_next(kind, 1))


def _next(kind: str, most: int | None) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(NEXT_ON_LADDER if kind == Match.Kind.LADDER else NEXT, [kind, *_free_now(), most])
        return [row[0] for row in cursor.fetchall()]


def waiting_for(kind: str) -> QuerySet[Match]:
    """Return the free matches of a kind's queue."""
    return free().filter(outside=True) if kind == SEATS else free().filter(kind=kind, outside=False)


def in_turn(kind: str, most: int | None = None) -> list[str]:
    """Return the matches of a kind that may be played now, the next one first; at most `most`."""
    if kind not in (SEATS, Match.Kind.FRIENDLY):  # the others have no requester, so they form one line
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
    """Return the waiting matches, oldest first, within each author's limit of concurrent ones.

    They mostly wait for somebody, so fair turns are not needed, but no author may occupy all threads.
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
