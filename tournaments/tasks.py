"""Celery tasks of leagues, ladders and challenges. All are idempotent: a repeated message does no harm."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from celery import shared_task
from django.utils import timezone

from foundation.celery_task_messages import enqueue_task
from replays.background_work_retries import run_with_retries
from tournaments.challenges import services as challenge_services
from tournaments.continuous_ladder import services as continuous_services
from tournaments.ladders import ladder_court_ratings, ladder_match_rating, ladder_row_pruning
from tournaments.leagues import game_luck_measurement, queries, recording_and_rating_retries, services
from tournaments.organisers import author_and_bot_bans


@shared_task(name="tournaments.refit")
def refit(game: str) -> int:
    """Recompute the fitted ratings of a game's ladders with new matches; return the number of ladders."""
    # Ladders that were recomputed recently wait (see `list_due`).
    return ladder_court_ratings.refit_due(game)


@shared_task(name="tournaments.measure")
def measure(game: str) -> bool:
    """Measure how much chance decides a game; return False if it has too few matches."""
    return run_with_retries("luck", game, partial(game_luck_measurement.measure, game), otherwise=False)


@shared_task(name="tournaments.prune")
def prune() -> int:
    """Delete database rows of old matches on the ladders; return the number of deleted rows."""
    return ladder_row_pruning.prune_ladders()


@shared_task(name="tournaments.sweep")
def sweep() -> int:
    """Do all periodic work of leagues, ladders and challenges; return the number of leagues that had work."""
    # Failed work does not stop other work, and is retried a limited number of times.
    ladder_match_rating.catch_up()
    recording_and_rating_retries.rate_failed_rounds()
    for game in dict.fromkeys(game for game, _ in ladder_court_ratings.list_due()):
        enqueue_task("tournaments.refit", game)
    for game in game_luck_measurement.list_due():
        enqueue_task("tournaments.measure", game)
    run_with_retries("bans", "all", author_and_bot_bans.enforce, otherwise=0)
    challenge_services.sweep()
    continuous_services.sweep(int(timezone.now().timestamp()))
    leagues_worked = do_all_due_work(timezone.now())
    recording_and_rating_retries.delete_settled_failures()
    return leagues_worked


def do_all_due_work(at: datetime) -> int:
    """Record results and take the next steps of leagues if due; return the number of leagues that had work."""
    return sum(
        run_with_retries("league", str(league), partial(services.do_due_work, league, at), otherwise=False)
        for league in queries.list_due(at)
    )
