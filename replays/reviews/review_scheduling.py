"""Scheduling of reviews (analyses of matches): requesters take turns, within a daily budget of processor time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from bots.jobs.fair_job_scheduling import QueuedJob, order_fairly
from replays.event_stream_storage import raise_fence
from replays.models.reviews import MatchReview

LEASE_DURATION = timedelta(minutes=2)
"""Duration of a worker's lease on a review; it is long because reviews run at the lowest priority."""
Status = MatchReview.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQueueStatus:
    """Number of reviews by status, and the daily budget of processor time."""

    waiting: int
    running: int
    done: int
    given_up: int
    spent: int
    """Seconds of processor time that reviews used today (UTC)."""
    budget: int
    """Seconds of processor time that reviews may use per day."""


def spent_today() -> float:
    """Return the seconds of processor time used by the reviews of today (UTC)."""
    # An unfinished review counts if a worker last claimed it today.
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    today = MatchReview.objects.filter(Q(ended_at__gte=midnight) | Q(ended_at=None, begun_at__gte=midnight))
    return (today.aggregate(sum=Sum("cpu_ms"))["sum"] or 0) / 1000


def claimable_reviews() -> QuerySet[MatchReview]:
    """Return the reviews that a worker can claim: not begun, or with an expired lease."""
    silent = Q(status=Status.RUNNING, lease_until__lt=timezone.now())
    return MatchReview.objects.filter(Q(status=Status.WAITING) | silent)


def count_waiting() -> int:
    """Return the number of reviews that a worker may claim within the daily budget."""
    return claimable_reviews().count() if spent_today() < settings.REVIEWS["day_seconds"] else 0


def list_in_fair_order() -> list[int]:
    """Return the ids of the next reviews to compute, at most one for each requester. Requesters take turns."""
    # All requests by leagues or from the shell count as one requester.
    if not count_waiting():
        return []
    waiting = [QueuedJob(*row) for row in claimable_reviews().values_list("pk", "asked_by_id", "asked_at")]
    authors = {thing.author for thing in waiting}
    asked = MatchReview.objects.filter(Q(asked_by_id__in=authors - {None}) | Q(asked_by=None))  # `in` finds no None
    held = asked.filter(status=Status.RUNNING, lease_until__gte=timezone.now()).exclude(holder="")
    began = dict(asked.exclude(begun_at=None).values_list("asked_by_id").annotate(Max("begun_at")))
    return [
        int(thing.id) for thing in order_fairly(waiting, Counter(held.values_list("asked_by_id", flat=True)), began)
    ]


@transaction.atomic
def claim_review(review_id: int, holder: str) -> int | None:
    """Lease a review and return a fencing token for its log, or None if it cannot be claimed."""
    until = timezone.now() + LEASE_DURATION
    taken = claimable_reviews().filter(pk=review_id)
    changes = {"status": Status.RUNNING, "holder": holder, "lease_until": until, "begun_at": timezone.now()}
    if not taken.update(**changes, attempts=F("attempts") + 1):
        return None
    return raise_fence(MatchReview.objects.get(pk=review_id).stream_id)


def read_review_age() -> float:
    """Return the waiting time of the oldest waiting review in seconds, or 0."""
    oldest = claimable_reviews().aggregate(at=Min("asked_at"))["at"] if count_waiting() else None
    return max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0


def read_queue() -> ReviewQueueStatus:
    """Return the numbers of reviews by status, and the budget of processor time, for the status page."""
    counts = Counter(dict(MatchReview.objects.values_list("status").annotate(Count("pk"))))
    return ReviewQueueStatus(
        waiting=counts[Status.WAITING],
        running=counts[Status.RUNNING],
        done=counts[Status.DONE],
        given_up=counts[Status.GIVEN_UP],
        spent=round(spent_today()),
        budget=settings.REVIEWS["day_seconds"],
    )
