"""The doorbells of the leagues."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments import projections, services


@shared_task(name="tournaments.record")
def record(match_id: str) -> bool:
    """Record a closed match in its league; delivered twice it does nothing the second time."""
    return services.record_match(match_id)


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Record and pair what a dead worker left, and begin leagues whose time has come; returns how many of all."""
    waiting = projections.unrecorded()
    for match_id in waiting:
        services.record_match(match_id)
    return len(waiting) + services.start_due(timezone.now()) + services.pair_stranded()
