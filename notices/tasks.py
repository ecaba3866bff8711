"""Celery tasks of the notices app."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from foundation.doorbell import ring, top_up
from notices import endpoints, errands, following, forgetting, mailing


@shared_task(name="notices.sweep")
def sweep() -> int:
    """Process new events and enqueue their deliveries; returns the number of lines and trial results."""
    now = timezone.now()
    told = following.follow_all(now)
    top_up("notices.carry", endpoints.QUEUE, errands.due(now).count())
    if mailing.is_due(now):
        ring("notices.mail", queue=endpoints.QUEUE)
    return told


@shared_task(name="notices.carry")
def carry(_queue: str = endpoints.QUEUE) -> bool:
    """Send the deliveries of the next endpoint; duplicate or late task messages are harmless."""
    done = errands.run_next(timezone.now())
    if done:
        top_up("notices.carry", endpoints.QUEUE, errands.due(timezone.now()).count())
    return done


@shared_task(name="notices.mail")
def mail() -> int:
    """Send the mails that are due."""
    return mailing.send_due(timezone.now())


@shared_task(name="notices.forget")
def forget() -> int:
    """Delete old deliveries and notices."""
    return forgetting.forget(timezone.now())
