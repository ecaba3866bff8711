"""Counts of waiting, running, ended and failed matches, for the status page and for metrics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Avg, BooleanField, Count, F, Func, Max, Min, OuterRef, Q, Subquery, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from django.utils import timezone

from replays.models import Match, MatchAudit
from replays.playing.resumable_matches import PLAYABLE_SQL, count_other_builds, list_known_builds
from replays.result_totals_by_seat import count_closed

MAX_LISTED = 10
"""Maximum number of matches in each list of the report."""
RECENT_MATCHES = 100
"""Number of newest matches from which the duration of a game's matches is estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStatusReport:
    """Counts and lists of matches for the status page."""

    waiting: int
    waiting_since: datetime | None
    """Creation time of the match that has waited longest; None if none waits."""
    playing: int
    other_builds: dict[str, int]
    """Number of unfinished matches that this process cannot resume, as a dict by build that began them."""
    closed: int
    last_hour: int
    """Number of matches closed within the last hour."""
    resumed: int
    """Number of matches that were claimed more than once, because a worker died or an attempt failed."""
    void: int
    voided: list[tuple[str, str]]
    """Pairs (match id, reason) for the latest matches that ended without a result."""
    audited: int
    """Number of matches audited within the 24 hours before the latest audit."""
    audited_at: datetime | None
    """Time of the latest audit of a match; None if none was audited."""
    differing: list[tuple[str, str]]
    """Pairs (match id, first difference) for released matches whose audit found a difference."""


COUNTS_SQL = """
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
"""SQL query that returns one row of counts of matches, each computed with an index.

The number of closed matches is the stored sum in `SeatResultSum` plus the matches that the sums do not include yet.
"""


def read_health() -> MatchStatusReport:
    """Return the report about matches for the status page."""
    # Five queries, whose duration does not depend on the number of matches played.
    status = Match.Status
    going = Match.objects.filter(status__in=(status.WAITING, status.PLAYING)).aggregate(
        waiting=Count("pk", filter=Q(status=status.WAITING)),
        waiting_since=Min("created_at", filter=Q(status=status.WAITING)),
        playing=Count("pk", filter=Q(status=status.PLAYING)),
    )
    with connection.cursor() as cursor:
        cursor.execute(COUNTS_SQL)
        counts = dict(zip((column.name for column in cursor.description), cursor.fetchone(), strict=True))
    voided = Match.objects.filter(status=status.VOID).order_by("-closed_at").values_list("pk", "reason")
    # the text of a difference may reveal hidden parts of a match
    differing = (
        MatchAudit.objects.filter(match__released=True)
        .exclude(found="")
        .order_by("-at")
        .values_list("match_id", "found")
    )
    return MatchStatusReport(
        **going,
        **counts,
        other_builds=count_other_builds(),
        voided=list(voided[:MAX_LISTED]),
        differing=[(match, found.splitlines()[0]) for match, found in differing[:MAX_LISTED]],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchMonitoringCounts:
    """Counts of matches and workers for monitoring."""

    # They are fast to compute, even with many ended matches.

    by_status: dict[str, int]
    """Dict from status to the number of matches with this status."""
    waited_s: float
    """Seconds since the match that has waited longest for a worker was created; 0 if none waits.

    Matches that wait for others of the same person (`RUNNING_EACH`), or for a worker of another build, do not count.
    """
    overdue: int
    """Number of matches being played whose worker's lease has expired, without those of another build."""
    workers: int
    """Number of worker processes that play at least one match."""
    audited_s: float | None
    """Seconds since the latest audit of a match or, if none was audited, since the first match ended.

    None if no match has ended.
    """
    differing: int
    """Number of matches whose latest audit found a difference."""
    stored_bytes: int
    """Disk space in bytes of the table of log pages, with its indexes."""


STORED_COUNTS_SQL = "SELECT pg_total_relation_size('replays_page')"


def read_running_work() -> MatchMonitoringCounts:
    """Return the counts of matches and workers for monitoring."""
    # No query reads all ended matches.
    status, now = Match.Status, timezone.now()
    on = (status.WAITING, status.PLAYING, status.ADJOURNED)
    playing = Q(status=status.PLAYING)
    others = Match.objects.filter(
        asked_by=OuterRef("asked_by"), outside=OuterRef("outside"), status=status.PLAYING, lease_until__gte=now
    )
    running = Subquery(others.order_by().values("asked_by").annotate(number=Count("pk")).values("number"))
    ours = RawSQL(PLAYABLE_SQL, list_known_builds(), output_field=BooleanField())  # noqa: S611 - made of constants
    matches = Match.objects.filter(status__in=on).annotate(ours=ours, running=Coalesce(running, 0))
    has_turn = Q(outside=False, running__lt=settings.RUNNING_EACH) | Q(outside=True, running__lt=settings.SEATS["each"])
    for_a_worker = Q(status=status.WAITING, ours=True) & has_turn
    worker = Func(F("holder"), Value(":[0-9a-f]{8}$"), Value(""), function="regexp_replace")  # without the lease's part
    counts = matches.aggregate(
        **{one.value: Count("pk", filter=Q(status=one)) for one in on},
        since=Min("created_at", filter=for_a_worker),
        overdue=Count("pk", filter=playing & Q(ours=True, lease_until__lt=now)),
        workers=Count(worker, filter=playing & ~Q(holder=""), distinct=True),
    )
    first_end = Match.objects.exclude(closed_at=None).order_by("closed_at").values("closed_at")[:1]
    audited_at = MatchAudit.objects.aggregate(at=Coalesce(Max("at"), Subquery(first_end)))["at"]
    since = counts["since"]
    over = {status.CLOSED.value: count_closed(), status.VOID.value: Match.objects.filter(status=status.VOID).count()}
    with connection.cursor() as cursor:
        cursor.execute(STORED_COUNTS_SQL)
        stored = cursor.fetchone()[0]
    return MatchMonitoringCounts(
        by_status={one.value: counts[one.value] for one in on} | over,
        waited_s=max(0.0, (now - since).total_seconds()) if since else 0.0,
        overdue=counts["overdue"],
        workers=counts["workers"],
        audited_s=max(0.0, (now - audited_at).total_seconds()) if audited_at else None,
        differing=MatchAudit.objects.exclude(found="").count(),
        stored_bytes=int(stored),
    )


def read_mean_duration(game: str, pace_ms: int, otherwise: float) -> float:
    """Return the mean duration of a game's newest matches in seconds, or `otherwise` if there are none.

    Only matches with the minimum time `pace_ms` between choices are used.
    """
    played = Match.objects.filter(game=game, status=Match.Status.CLOSED, pace_ms=pace_ms, opened_at__isnull=False)
    newest = list(played.order_by("-closed_at")[:RECENT_MATCHES].values_list("pk", flat=True))
    lasted = Match.objects.filter(pk__in=newest).aggregate(mean=Avg(F("closed_at") - F("opened_at")))["mean"]
    return lasted.total_seconds() if isinstance(lasted, timedelta) else otherwise
