"""How the matches are getting on, for the status page."""

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
"""The newest matches of a game say how long one takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What is waiting, running and wrong."""

    waiting: int
    waiting_since: datetime | None
    """When the match that has waited longest was made."""
    playing: int
    strange: dict[str, int]
    """Those among them that wait for a worker with other software, by the build that began them."""
    closed: int
    last_hour: int
    """Closed within the last sixty minutes."""
    resumed: int
    """Matches that more than one worker has held: a worker died, and another played on."""
    void: int
    voided: list[tuple[str, str]]
    """(match, reason) of the last ones that could not be played."""
    audited: int
    """Within a day before the last of them."""
    audited_at: datetime | None
    """When the last match was audited."""
    differing: list[tuple[str, str]]
    """(match, difference) that the audit found, of those that are released."""


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
"""Each by an index of its own (`replays.sums` says how the closed are counted)."""


def read_health() -> Health:
    """Return it in five queries; nothing of that takes longer because more has been played."""
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
    # a difference shows what happened within a match
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
    """How matches are going, for programs that watch over an arena; old matches do not make it cost more."""

    by_status: dict[str, int]
    """How many matches there are of each status."""
    waited_s: float
    """How long the match has waited that has waited longest; 0 where none waits."""
    overdue: int
    """Matches being played whose worker has said nothing for longer than its lease."""
    holders: int
    """Workers that hold at least one match."""
    audited_s: float | None
    """How long ago the last match was audited; None where none was."""
    differing: int
    """Matches of which the last audit found a difference."""
    stored_bytes: int
    """What the pages of all streams take on the disk, with their indexes."""


STORED = "SELECT pg_total_relation_size('replays_page')"


def read_going() -> Going:
    """Return it; of what has ended no more is looked at than sums, what is wrong, and the end of an index."""
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
    """Return how many seconds a match of a game lasts at a pace, by the newest; `otherwise` where there is none."""
    played = Match.objects.filter(game=game, status=Match.Status.CLOSED, pace_ms=pace_ms, opened_at__isnull=False)
    newest = list(played.order_by("-closed_at")[:RECENT].values_list("pk", flat=True))
    lasted = Match.objects.filter(pk__in=newest).aggregate(mean=Avg(F("closed_at") - F("opened_at")))["mean"]
    return lasted.total_seconds() if isinstance(lasted, timedelta) else otherwise
