"""The doorbells of the leagues."""

from __future__ import annotations

from datetime import datetime

import structlog
from celery import shared_task
from django.utils import timezone

from foundation.doorbell import ring
from tournaments import (
    banning,
    challenging,
    continuous,
    court_ratings,
    ladder,
    ladder_pruning,
    luck,
    queries,
    recording,
    services,
)

log = structlog.get_logger(__name__)


@shared_task(name="tournaments.record")
def record(match_id: str) -> bool:
    """Record a match that ended where it belongs; delivered twice it does nothing the second time."""
    return recording.record(match_id)


@shared_task(name="tournaments.refit")
def refit(game: str) -> int:
    """Fit the court ratings of a game anew where its ladders went on; rung several times they are fitted once."""
    return court_ratings.refit_due(game)


@shared_task(name="tournaments.measure")
def measure(game: str) -> bool:
    """Measure a game's luck from the matches of its leagues."""
    return luck.measure(game)


@shared_task(name="tournaments.prune")
def prune() -> int:
    """Delete from the ladders' tables what only their streams need to hold; returns how many rows."""
    return ladder_pruning.prune_ladders()


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Do what dead workers left in the leagues, and what is due by the clock; returns in how many something was.

    A league in which that goes wrong is told of and stops no other. Ladders whose tables are behind, as in an arena of
    an older release, are caught up. Those whose court ratings are behind are rung for, each game by itself, and so are
    games of which much has been played since their luck was measured. What a ban has left over is done.
    Continuous ladders call what is due.
    """
    ladder.catch_up()
    for game in dict.fromkeys(game for game, _ in court_ratings.list_due()):
        ring("tournaments.refit", game)
    for game in luck.list_due():
        ring("tournaments.measure", game)
    banning.enforce()
    challenging.sweep()
    continuous.sweep(int(timezone.now().timestamp()))
    return tend_all(timezone.now())


def tend_all(at: datetime) -> int:
    """Do what is due in all leagues by then; returns in how many something was."""
    return sum(_tend(league, at) for league in queries.list_untended(at))


def _tend(league_id: int, at: datetime) -> bool:
    try:
        return services.tend(league_id, at)
    except Exception:
        log.exception("league_cannot_be_tended", league=league_id)
        return False
