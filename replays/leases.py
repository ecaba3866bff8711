"""Who may play a match: one worker at a time, for as long as it keeps saying that it lives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from ftk_core.entries import stream_of
from replays.models import Match
from replays.store import raise_fence


class LeaseLost(Exception):
    """Raised when a worker finds that a match is no longer its own; it must stop at once."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write one match's stream."""

    match_id: str
    holder: str
    fence: int


def _length() -> timedelta:
    return timedelta(seconds=settings.LEASE_SECONDS)


@transaction.atomic
def claim(match_id: str, holder: str) -> Lease | None:
    """Return a lease on the match if nobody holds one and it has not ended, else None."""
    now = timezone.now()
    free = Q(status=Match.Status.WAITING) | Q(status=Match.Status.PLAYING, lease_until__lt=now)
    claimed = Match.objects.filter(free, pk=match_id).update(
        status=Match.Status.PLAYING, holder=holder, lease_until=now + _length(), attempts=F("attempts") + 1
    )
    return Lease(match_id, holder, raise_fence(stream_of(match_id))) if claimed else None


def renew(lease: Lease) -> None:
    """Extend the lease; raises LeaseLost when another worker holds the match or it was ended."""
    renewed = Match.objects.filter(pk=lease.match_id, holder=lease.holder, status=Match.Status.PLAYING).update(
        lease_until=timezone.now() + _length()
    )
    if not renewed:
        raise LeaseLost(f"match {lease.match_id} is no longer held by {lease.holder}")


def release(lease: Lease, *, tried: bool = True) -> None:
    """Let go of a match that could not go on here, so that a sweeper rings for another worker at once.

    Where not even its bots could be started it was not `tried`, and that is no attempt.
    """
    Match.objects.filter(pk=lease.match_id, holder=lease.holder, status=Match.Status.PLAYING).update(
        lease_until=timezone.now(), attempts=F("attempts") - int(not tried)
    )


def abandoned() -> list[str]:
    """Return the matches that wait for a worker: never begun for a while, or their worker fell silent."""
    now = timezone.now()
    unheard = Q(status=Match.Status.WAITING, created_at__lt=now - timedelta(seconds=settings.DOORBELL_SECONDS))
    silent = Q(status=Match.Status.PLAYING, lease_until__lt=now)
    return list(Match.objects.filter(unheard | silent).order_by("created_at").values_list("pk", flat=True)[:200])
