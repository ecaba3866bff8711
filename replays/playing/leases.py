"""Who may play a match: one worker at a time, for as long as it keeps saying that it lives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from bots.turns import Waiting, in_order
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


@transaction.atomic
def take_over(match_id: str, holder: str) -> Lease | None:
    """Return a lease on a match that has not ended, else None; whoever held it until now is refused from here on."""
    going = Match.objects.filter(pk=match_id, status__in=(Match.Status.WAITING, Match.Status.PLAYING))
    taken = going.update(status=Match.Status.PLAYING, holder=holder, lease_until=timezone.now() + _length())
    return Lease(match_id, holder, raise_fence(stream_of(match_id))) if taken else None


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


def free() -> QuerySet[Match]:
    """Return the matches that wait for a worker: never begun, or their worker fell silent."""
    silent = Q(status=Match.Status.PLAYING, lease_until__lt=timezone.now())
    return Match.objects.filter(Q(status=Match.Status.WAITING) | silent)


def in_turn(kind: str) -> list[str]:
    """Return the matches of a kind that may be played now, the next one first."""
    waiting = [Waiting(*row) for row in free().filter(kind=kind).values_list("pk", "asked_by_id", "created_at")]
    if kind != Match.Kind.FRIENDLY:  # nobody asked for the others
        return [str(thing.id) for thing in sorted(waiting, key=lambda thing: thing.since)]
    asked = Match.objects.filter(kind=kind, asked_by_id__in={thing.author for thing in waiting})
    held = asked.filter(status=Match.Status.PLAYING, lease_until__gte=timezone.now())
    began = dict(asked.exclude(opened_at=None).values_list("asked_by_id").annotate(Max("opened_at")))
    return [str(thing.id) for thing in in_order(waiting, Counter(held.values_list("asked_by_id", flat=True)), began)]
