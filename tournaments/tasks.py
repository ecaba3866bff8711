"""Celery tasks of leagues and ladders."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from celery import shared_task
from django.utils import timezone

from foundation.doorbell import ring
from replays.failed_work import run_bounded
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
    retries,
    services,
)


@shared_task(name="tournaments.record")
def record(match_id: str) -> bool:
    """Record an ended match; idempotent."""
    return recording.record(match_id)


@shared_task(name="tournaments.refit")
def refit(game: str) -> int:
    """Refit the court ratings of a game's stale ladders; repeated messages cause one fit."""
    return court_ratings.refit_due(game)


@shared_task(name="tournaments.measure")
def measure(game: str) -> bool:
    """Measure a game's luck from its league matches."""
    return run_bounded("luck", game, partial(luck.measure, game), otherwise=False)


@shared_task(name="tournaments.prune")
def prune() -> int:
    """Delete from the ladders' tables what only their streams need to hold; returns how many rows."""
    return ladder_pruning.prune_ladders()


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Do the work that dead workers left and that is due by time; return the number of leagues with any.

    A failure stops nothing else, and is given up after some attempts (`replays.failed_work`). Ladders whose tables lag
    behind, as after an upgrade, are caught up. Tasks are enqueued for games with stale court ratings or many matches
    since their last luck measure. Bans are enforced. Continuous ladders call due bouts.
    """
    ladder.catch_up()
    retries.rate_failed_rounds()
    for game in dict.fromkeys(game for game, _ in court_ratings.list_due()):
        ring("tournaments.refit", game)
    for game in luck.list_due():
        ring("tournaments.measure", game)
    run_bounded("bans", "all", banning.enforce, otherwise=0)
    challenging.sweep()
    continuous.sweep(int(timezone.now().timestamp()))
    done = tend_all(timezone.now())
    retries.forget_settled_results()
    return done


def tend_all(at: datetime) -> int:
    """Do the due work of all leagues; return the number of leagues with any."""
    return sum(
        run_bounded("league", str(league), partial(services.tend, league, at), otherwise=False)
        for league in queries.list_untended(at)
    )
