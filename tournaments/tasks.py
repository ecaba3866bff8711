"""The doorbells of the leagues."""

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
    """Record a match that ended where it belongs; delivered twice it does nothing the second time."""
    return recording.record(match_id)


@shared_task(name="tournaments.refit")
def refit(game: str) -> int:
    """Fit the court ratings of a game anew where its ladders went on; rung several times they are fitted once."""
    return court_ratings.refit_due(game)


@shared_task(name="tournaments.measure")
def measure(game: str) -> bool:
    """Measure a game's luck from the matches of its leagues."""
    return run_bounded("luck", game, partial(luck.measure, game), otherwise=False)


@shared_task(name="tournaments.prune")
def prune() -> int:
    """Delete from the ladders' tables what only their streams need to hold; returns how many rows."""
    return ladder_pruning.prune_ladders()


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Do what dead workers left in the leagues, and what is due by the clock; returns in how many something was.

    What goes wrong stops nothing else, and is left aside after some attempts (`replays.failed_work`). Ladders whose
    tables are behind, as in an arena of an older release, are caught up. Those whose court ratings are behind are rung
    for, each game by itself, and so are games of which much has been played since their luck was measured. What a ban
    has left over is done. Continuous ladders call what is due.
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
    """Do what is due in all leagues by then; returns in how many something was."""
    return sum(
        run_bounded("league", str(league), partial(services.tend, league, at), otherwise=False)
        for league in queries.list_untended(at)
    )
