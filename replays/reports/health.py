"""State of all matches, for the status page and metrics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Avg, Count, F, Max, Min, Q
from django.utils import timezone

from replays.models import Match, MatchAudit
from replays.playing.builds import count_strange
from replays.sums import count_closed

LISTED = 10
RECENT = 100
"""Number of newest matches from which the duration of a game is estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Waiting, running and failed matches."""

    waiting: int
    waiting_since: datetime | None
    """Creation time of the match that has waited longest."""
    playing: int
    strange: dict[str, int]
    """Number of these that wait for a worker with other software, by the build that began them."""
    closed: int
    last_hour: int
    """Closed within the last sixty minutes."""
    resumed: int
    """Matches that more than one worker has held, because one died or failed."""
    void: int
    voided: list[tuple[str, str]]
    """(match, reason) of the latest void matches."""
    audited: int
    """Within the day before the latest audit."""
    audited_at: datetime | None
    """Time of the latest audit."""
    differing: list[tuple[str, str]]
    """(match, difference) of the released matches whose audit differs."""


COUNTS = """
WITH last AS (SELECT max(at) AS audited_at FROM replays_matchaudit)
SELECT (SELECT count(*) FROM replays_match WHERE status = 'closed' AND closed_at > now() - interval '1 hour')
        AS last_hour,
    (SELECT count(*) FROM replays_match WHERE attempts > 1) AS resumed,
    (SELECT count(*) FROM replays_match WHERE status = 'void') AS void,
    (SELECT count(*) FROM replays_matchaudit, last WHERE at > last.audited_at - interval '1 day') AS audited,
    (SELECT audited_at FROM last) AS audited_at,
    (SELECT coalesce(sum(matches), 0) FROM replays_seatsum WHERE bot_id IS NULL AND seat = 0)::bigint
        + (SELECT count(*) FROM replays_match WHERE status = 'closed' AND NOT counted) AS closed
"""
"""Each count uses an index (`replays.sums` explains the count of closed ones)."""


def read_health() -> Health:
    """Return the state in five queries, whose cost does not grow with the number of matches played."""
    status = Match.Status
    going = Match.objects.filter(status__in=(status.WAITING, status.PLAYING)).aggregate(
        waiting=Count("pk", filter=Q(status=status.WAITING)),
        waiting_since=Min("created_at", filter=Q(status=status.WAITING)),
        playing=Count("pk", filter=Q(status=status.PLAYING)),
    )
    with connection.cursor() as cursor:
        cursor.execute(COUNTS)
        counts = dict(zip((column.name for column in cursor.description), cursor.fetchone(), strict=True))
    voided = Match.objects.filter(status=status.VOID).order_by("-closed_at").values_list("pk", "reason")
    # a difference reveals the inside of a match
    differing = (
        MatchAudit.objects.filter(match__released=True)
        .exclude(found="")
        .order_by("-at")
        .values_list("match_id", "found")
    )
    return Health(
        **going,
        **counts,
        strange=count_strange(),
        voided=list(voided[:LISTED]),
        differing=[(match, found.splitlines()[0]) for match, found in differing[:LISTED]],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """State of all matches for monitoring; old matches add no cost."""

    by_status: dict[str, int]
    """Number of matches by status."""
    waited_s: float
    """Seconds that the longest-waiting match has waited; 0 without one."""
    overdue: int
    """Matches being played whose lease has expired."""
    holders: int
    """Workers that hold at least one match."""
    audited_s: float | None
    """Seconds since the last audit; None without one."""
    differing: int
    """Matches whose last audit found a difference."""
    stored_bytes: int
    """Disk space of all pages with their indexes."""


STORED = "SELECT pg_total_relation_size('replays_page')"


def read_going() -> Going:
    """Return the state; of ended matches it reads only sums, faults, and the end of an index."""
    status, now = Match.Status, timezone.now()
    on = (status.WAITING, status.PLAYING, status.ADJOURNED)
    playing = Q(status=status.PLAYING)
    counts = Match.objects.filter(status__in=on).aggregate(
        **{one.value: Count("pk", filter=Q(status=one)) for one in on},
        since=Min("created_at", filter=Q(status=status.WAITING)),
        overdue=Count("pk", filter=playing & Q(lease_until__lt=now)),
        holders=Count("holder", filter=playing & ~Q(holder=""), distinct=True),
    )
    since, audited_at = counts["since"], MatchAudit.objects.aggregate(at=Max("at"))["at"]
    over = {status.CLOSED.value: count_closed(), status.VOID.value: Match.objects.filter(status=status.VOID).count()}
    with connection.cursor() as cursor:
        cursor.execute(STORED)
        stored = cursor.fetchone()[0]
    return Going(
        by_status={one.value: counts[one.value] for one in on} | over,
        waited_s=max(0.0, (now - since).total_seconds()) if since else 0.0,
        overdue=counts["overdue"],
        holders=counts["holders"],
        audited_s=max(0.0, (now - audited_at).total_seconds()) if audited_at else None,
        differing=MatchAudit.objects.exclude(found="").count(),
        stored_bytes=int(stored),
    )


def read_pace(game: str, pace_ms: int, otherwise: float) -> float:
    """Return the mean duration in seconds of a game's newest matches at a pace; `otherwise` without any."""
    played = Match.objects.filter(game=game, status=Match.Status.CLOSED, pace_ms=pace_ms, opened_at__isnull=False)
    newest = list(played.order_by("-closed_at")[:RECENT].values_list("pk", flat=True))
    lasted = Match.objects.filter(pk__in=newest).aggregate(mean=Avg(F("closed_at") - F("opened_at")))["mean"]
    return lasted.total_seconds() if isinstance(lasted, timedelta) else otherwise
