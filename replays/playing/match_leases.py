"""Leases on matches, which give one worker at a time the right to play a match."""

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

from bots.jobs.fair_job_scheduling import QueuedJob, order_fairly
from bots.sandbox_settings import list_languages_here
from bots.worker_sandbox_report_queries import list_supported_languages
from ftk_core.hash_chained_log import GENESIS
from ftk_core.log_entries import stream_of
from replays.event_stream_storage import ASYNC_COMMIT_SQL, EventAppender, raise_fence
from replays.models import SEATS, Match, MatchSeat, SeatQuestionMailbox
from replays.playing.resumable_matches import PLAYABLE_SQL, SUPPORTED_SQL, list_known_builds
from replays.seats import seat_question_mailbox


class MatchLeaseLost(Exception):
    """Raised if a worker has lost the lease on its match and must stop playing it."""


@dataclass(frozen=True, slots=True)
class MatchLease:
    """A worker's right to play a match and to write its stream."""

    match_id: str
    holder: str
    stream: EventAppender
    """The match's stream, opened with a fencing token; the database refuses writes by earlier holders of the match."""
    attempts: int = 1
    """Number of claims of the match by workers, this claim included (see `Match.attempts`)."""


def _lease_duration() -> timedelta:
    return timedelta(seconds=settings.LEASE_SECONDS)


UNLEASED_SQL = f"""(
    replays_match.status = 'waiting'
    OR (replays_match.status = 'playing' AND replays_match.lease_until < %s)
    OR (replays_match.status = 'adjourned' AND replays_match.resume_at < %s)
) AND {PLAYABLE_SQL}"""
"""SQL condition for matches that this process can claim.

These matches wait, or their lease or adjournment has expired. Matches that this process cannot play (see
`PLAYABLE_SQL`) are left to workers with other code.
"""
CLAIM_SQL = f"""
WITH claimed AS (
    UPDATE replays_match
    SET status = 'playing', holder = %s, lease_until = %s, attempts = attempts + 1
    WHERE id = %s AND {UNLEASED_SQL} RETURNING attempts
), fenced AS (
    INSERT INTO replays_stream AS stream (id, length, head, fence) SELECT %s, 0, %s, 1 FROM claimed
    ON CONFLICT (id) DO UPDATE SET fence = stream.fence + 1 RETURNING fence, length, head
)
SELECT fence, length, head, attempts, {ASYNC_COMMIT_SQL} FROM fenced, claimed
"""  # noqa: S608 - made of constants
"""SQL statement that claims a match and its stream.

The commit is asynchronous, because losing a claim loses no data.
"""


def claim(match_id: str, holder: str) -> MatchLease | None:
    """Return a lease on a match, or None if the match cannot be claimed now."""
    stream_id = stream_of(match_id)
    values = [holder, timezone.now() + _lease_duration(), match_id, *_unleased_now(), stream_id, GENESIS]
    with connection.cursor() as cursor:
        cursor.execute(CLAIM_SQL, values)
        row = cursor.fetchone()
    if row is None:
        return None
    fence, length, head, attempts, _ = row
    return MatchLease(match_id, holder, EventAppender.open_at(stream_id, fence, length, bytes(head)), attempts)


@transaction.atomic
def take_over(match_id: str, holder: str) -> MatchLease | None:
    """Return a lease on a match, even if another worker holds it. Return None if the match has ended."""
    # The other worker can then no longer write to the log.
    going = Match.objects.filter(pk=match_id).exclude(status__in=(Match.Status.CLOSED, Match.Status.VOID))
    taken = going.update(status=Match.Status.PLAYING, holder=holder, lease_until=timezone.now() + _lease_duration())
    if not taken:
        return None
    stream_id = stream_of(match_id)
    return MatchLease(match_id, holder, EventAppender(stream_id, raise_fence(stream_id)))


RENEW_SQL = """
UPDATE replays_match SET lease_until = %s
WHERE status = %s AND (id, holder) IN (SELECT * FROM unnest(%s::text[], %s::text[])) RETURNING id
"""


def renew_all(leases: Sequence[MatchLease], by: BaseDatabaseWrapper) -> set[str]:
    """Renew leases on matches, and return the ids of the matches whose lease was renewed.

    Other matches have ended or been taken over.
    """
    ids, holders = [lease.match_id for lease in leases], [lease.holder for lease in leases]
    with by.cursor() as cursor:
        cursor.execute(RENEW_SQL, [timezone.now() + _lease_duration(), Match.Status.PLAYING, ids, holders])
        return {row[0] for row in cursor.fetchall()}


def release(lease: MatchLease, *, tried: bool = True, pause: timedelta = timedelta(0)) -> None:
    """Release a match that cannot continue on this worker. It can be claimed again after `pause`.

    With `tried=False` the claim does not count as an attempt.
    """
    Match.objects.filter(pk=lease.match_id, holder=lease.holder, status=Match.Status.PLAYING).update(
        lease_until=timezone.now() + pause, attempts=F("attempts") - int(not tried)
    )


@transaction.atomic
def adjourn(lease: MatchLease, seat: MatchSeat, until: datetime | None) -> None:
    """Release a match until the person at `seat` answers, or until the time `until` if it is given."""
    # An answer that came meanwhile makes the match claimable at once, as does the deletion of the person's account.
    # The claim does not count as an attempt.
    # the same lock order as in `questions_to_humans`
    mailbox = SeatQuestionMailbox.objects.select_for_update().get(seat=seat)
    is_owner_erased = seat_question_mailbox.read_state(seat).is_owner_erased
    held = Match.objects.filter(pk=lease.match_id, holder=lease.holder, status=Match.Status.PLAYING)
    status = Match.Status.WAITING if mailbox.answered_at or is_owner_erased else Match.Status.ADJOURNED
    held.update(status=status, resume_at=until, lease_until=None, holder="", attempts=F("attempts") - 1)


def claimable_matches() -> QuerySet[Match]:
    """Return the matches that this process can claim now: they wait, or their lease has expired."""
    is_free = RawSQL(UNLEASED_SQL, _unleased_now(), output_field=BooleanField())  # noqa: S611 - made of constants
    return Match.objects.filter(is_free)


def _unleased_now() -> list[Any]:
    now = timezone.now()
    return [now, now, *list_known_builds()]


NEXT_SQL = f"""
SELECT id FROM (
    SELECT id, created_at FROM replays_match WHERE kind = %s AND NOT outside AND {UNLEASED_SQL}
    ORDER BY created_at, id OFFSET 0
) AS replays_match WHERE {SUPPORTED_SQL} ORDER BY created_at, id LIMIT %s
"""  # noqa: S608 - made of constants
"""SQL query for the next matches of a kind; plain SQL, because building a query set takes a millisecond per match.

OFFSET 0 makes PostgreSQL sort first, so that it looks up the bots of few matches.
"""
NEXT_ON_LADDER_SQL = NEXT_SQL.replace("ORDER BY", "ORDER BY experienced,").replace(
    "created_at FROM",
    """created_at, (
        SELECT bool_and(EXISTS (
            SELECT 1 FROM replays_matchseat AS earlier
            WHERE earlier.version_id = seat.version_id AND earlier.closed_at IS NOT NULL
        )) FROM replays_matchseat AS seat WHERE seat.match_id = replays_match.id
    ) AS experienced FROM""",
)
"""SQL query for the next matches of a continuous ladder.

Matches with a bot version that has not finished any match yet come first.
"""
MAX_COUNTED = 200
"""Maximum number of waiting matches of a kind that are counted.

It is greater than MAX_ENQUEUED, the number of task messages that `enqueue_missing` adds at once.
"""


def has_waiting(kind: str) -> bool:
    """Return True if a queue contains a match that this machine can play."""
    # Always False for SEATS.
    return bool(_next_matches(NEXT_SQL, kind, 1, list_languages_here()))


def _next_matches(query: str, kind: str, most: int | None, languages: Sequence[str]) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query, [kind, *_unleased_now(), [*languages], most])
        return [row[0] for row in cursor.fetchall()]


def count_supported(kind: str) -> int:
    """Count the waiting matches in a queue that some worker can play, up to `MAX_COUNTED`."""
    return _count(kind, list_supported_languages())


def count_playable(kind: str) -> int:
    """Count the waiting matches in a queue that this machine can play, up to `MAX_COUNTED`."""
    return _count(kind, list_languages_here())


def _count(kind: str, languages: Sequence[str]) -> int:
    if kind == SEATS:
        return len(list_in_fair_order(SEATS, MAX_COUNTED, languages))
    return len(_next_matches(NEXT_SQL, kind, MAX_COUNTED, languages))


def list_in_fair_order(kind: str, most: int | None = None, languages: Sequence[str] | None = None) -> list[str]:
    """Return the ids of the matches in the queue `kind` that may be played now, in fair order.

    People take turns with friendly matches. `languages` are the bots' languages, by default those of this machine.
    """
    # One friendly match of each person is returned, unless `settings.RUNNING_EACH` of their matches are being played.
    languages = list_languages_here() if languages is None else languages
    if kind not in (SEATS, Match.Kind.FRIENDLY):  # no person ordered the other kinds: one queue each
        return _next_matches(NEXT_ON_LADDER_SQL if kind == Match.Kind.LADDER else NEXT_SQL, kind, most, languages)
    is_supported = RawSQL(SUPPORTED_SQL, [[*languages]], output_field=BooleanField())  # noqa: S611 - made of constants
    queue = {"outside": True} if kind == SEATS else {"outside": False, "kind": kind}
    free = claimable_matches().filter(is_supported, **queue)
    waiting = [QueuedJob(*row) for row in free.values_list("pk", "asked_by_id", "created_at")]
    if kind == SEATS:
        return _list_startable_outside_matches(waiting)[:most]
    asked = Match.objects.filter(kind=kind, outside=False, asked_by_id__in={thing.author for thing in waiting})
    held = asked.filter(status=Match.Status.PLAYING, lease_until__gte=timezone.now())
    began = dict(asked.exclude(opened_at=None).values_list("asked_by_id").annotate(Max("opened_at")))
    running = Counter[int | None](held.values_list("asked_by_id", flat=True))
    return [str(thing.id) for thing in order_fairly(waiting, running, began)][:most]


def _list_startable_outside_matches(waiting: list[QueuedJob]) -> list[str]:
    """Return the ids of the waiting matches that may start now, oldest first, within a limit for each person."""
    # Remote bots or people play in these matches.
    # A limit per person keeps anybody from occupying all threads. People need not take turns, because these matches
    # spend most of their time waiting.
    asked = Match.objects.filter(outside=True, asked_by_id__in={thing.author for thing in waiting})
    held = asked.filter(status=Match.Status.PLAYING, lease_until__gte=timezone.now())
    running = Counter[int | None](held.values_list("asked_by_id", flat=True))
    chosen = list[str]()
    for thing in sorted(waiting, key=lambda thing: thing.since):
        if thing.author is None or running[thing.author] < settings.SEATS["each"]:
            running[thing.author] += 1
            chosen.append(str(thing.id))
    return chosen
