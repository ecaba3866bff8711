"""How the matches are getting on, for the status page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Avg, Count, F, Max, Min, Q
from django.utils import timezone

from replays.models import Match, MatchAudit

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
    closed: int
    last_hour: int
    """Closed within the last sixty minutes."""
    resumed: int
    """Matches that more than one worker has held: a worker died, and another played on."""
    void: int
    voided: list[tuple[str, str]]
    """(match, reason) of the last ones that could not be played."""
    audited: int
    audited_at: datetime | None
    differing: list[tuple[str, str]]
    """(match, difference) that the audit found, of those that are released."""


def read_health() -> Health:
    """Return it, in four queries."""
    status = Match.Status
    hour = timezone.now() - timedelta(hours=1)
    counts = Match.objects.aggregate(
        waiting=Count("pk", filter=Q(status=status.WAITING)),
        waiting_since=Min("created_at", filter=Q(status=status.WAITING)),
        playing=Count("pk", filter=Q(status=status.PLAYING)),
        closed=Count("pk", filter=Q(status=status.CLOSED)),
        last_hour=Count("pk", filter=Q(status=status.CLOSED, closed_at__gt=hour)),
        resumed=Count("pk", filter=Q(attempts__gt=1)),
        void=Count("pk", filter=Q(status=status.VOID)),
    )
    voided = Match.objects.filter(status=status.VOID).order_by("-closed_at").values_list("pk", "reason")
    audits = MatchAudit.objects.aggregate(audited=Count("pk"), audited_at=Max("at"))
    # a difference shows what happened within a match
    differing = (
        MatchAudit.objects.filter(match__released=True)
        .exclude(found="")
        .order_by("-at")
        .values_list("match_id", "found")
    )
    return Health(
        **counts,
        **audits,
        voided=list(voided[:LISTED]),
        differing=[(match, found.splitlines()[0]) for match, found in differing[:LISTED]],
    )


def read_pace(game: str, pace_ms: int, otherwise: float) -> float:
    """Return how many seconds a match of a game lasts at a pace, by the newest; `otherwise` where there is none."""
    played = Match.objects.filter(game=game, status=Match.Status.CLOSED, pace_ms=pace_ms, opened_at__isnull=False)
    newest = list(played.order_by("-closed_at")[:RECENT].values_list("pk", flat=True))
    lasted = Match.objects.filter(pk__in=newest).aggregate(mean=Avg(F("closed_at") - F("opened_at")))["mean"]
    return lasted.total_seconds() if isinstance(lasted, timedelta) else otherwise
