"""The doorbells of the leagues."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from foundation.doorbell import ring
from tournaments import court_ratings, projections, services


@shared_task(name="tournaments.record")
def record(match_id: str) -> bool:
    """Record a closed match in its league; delivered twice it does nothing the second time."""
    return services.record_match(match_id)


@shared_task(name="tournaments.refit")
def refit(game: str) -> int:
    """Fit the court ratings of a game anew where its ladders went on; rung several times they are fitted once."""
    return court_ratings.refit(game)


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Record and pair what a dead worker left, and begin leagues whose time has come; returns how many of all.

    Ladders whose court ratings are behind are rung for, each game by itself: one that cannot be fitted stops no other.
    """
    for game in dict.fromkeys(game for game, _ in court_ratings.list_stale()):
        ring("tournaments.refit", game)
    waiting = projections.unrecorded()
    for match_id in waiting:
        services.record_match(match_id)
    return len(waiting) + services.start_due(timezone.now()) + services.pair_stranded()
