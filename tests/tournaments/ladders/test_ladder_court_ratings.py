"""Court ratings on the server: a fit, a refit and a rebuild of the same matches give the same digits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.models import BotVersion
from foundation.celery_task_messages import count_messages
from ftk_core.games import list_games
from ftk_core.league.court_rating import MatchArrays, fit_ratings
from replays.event_stream_storage import EventAppender
from tests.support.ladders import NAMES, add_matches, add_version, build_match, create_bot, draw_results, rate_results
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments import tasks
from tournaments.ladders import ladder_court_ratings, ladder_match_rating, queries as ladder_queries, rated_match_cache
from tournaments.ladders.ladder_event_types import stream_of
from tournaments.models import ALL_TIME, CourtRating, CourtRatingFit, League

pytestmark = pytest.mark.slow
LONG = 30


@pytest.fixture(autouse=True)
def forget_fit_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the times of earlier fits, which would delay a fit of a ladder with the same name."""
    monkeypatch.setattr(ladder_court_ratings, "_next_fit_times", {})


def ratings(season: str = ALL_TIME) -> list[tuple[Any, ...]]:
    """Return all stored values of a ladder's court ratings."""
    rows = CourtRating.objects.filter(season=season).order_by("-value", "bot__slug")
    return list(rows.values_list("bot__slug", "version", "value", "low", "high", "provisional", "ahead"))


def run_concurrently(*calls: Callable[[], int]) -> list[int]:
    """Run these functions at the same time, each on its own database connection."""
    barrier = Barrier(len(calls))

    def one(call: Callable[[], int]) -> int:
        barrier.wait(LONG)
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots without a match."""
    return [create_bot(slug) for slug in NAMES]


def test_stored_court_ratings_equal_one_fit_to_all_rated_matches(field: list[BotVersion]) -> None:
    results = draw_results(40, field) + draw_results(9, field, seats=2)
    rate_results(results)
    assert ladder_court_ratings.refit("pig") == 2
    number = {version.pk: at for at, version in enumerate(field)}
    played = [
        MatchArrays(
            np.array([[number[v.pk] for v in seats] for seats, _ in results if len(seats) == size]),
            np.array([places for seats, places in results if len(seats) == size]),
        )
        for size in (2, 3)
    ]
    court = fit_ratings(played, np.full(len(field), -1))
    rated = [(version.bot.slug, court.rated(at)) for at, version in enumerate(field)]
    assert {row[0]: row[2:6] for row in ratings()} == {
        slug: (round(100 * one.rating), round(100 * one.low), round(100 * one.high), one.provisional)
        for slug, one in rated
    }
    row = CourtRatingFit.objects.get(season=ALL_TIME)
    assert row.matches == len(results)
    assert 0 < row.bound < 1e-6
    assert row.seats[1][0][0] == court.seat(3, 0).rating


def test_rebuilding_the_court_ratings_gives_identical_ratings(field: list[BotVersion]) -> None:
    rate_results(draw_results(30, field))
    ladder_court_ratings.refit("pig")
    before, fits = (ratings(), ratings("2026")), list(CourtRatingFit.objects.order_by("season").values("head", "bound"))
    CourtRating.objects.update(value=1)
    call_command("rebuild", verbosity=0)
    assert (ratings(), ratings("2026")) == before
    assert list(CourtRatingFit.objects.order_by("season").values("head", "bound")) == fits


def test_a_bot_has_the_rating_of_its_newest_version_that_played(field: list[BotVersion]) -> None:
    ada, bo = field[:2]
    rate_results([((ada, bo), (1, 2))] * 12)
    ladder_court_ratings.refit("pig")
    first = {slug: (version, value) for slug, version, value, *_ in ratings()}
    newer = add_version(ada)
    add_version(newer)  # this version has not played
    rate_results([((newer, bo), (2, 1))])
    ladder_court_ratings.refit("pig")
    second = {slug: (version, value) for slug, version, value, *_ in ratings()}
    assert (first["ada"][0], second["ada"][0]) == (1, 2)
    assert second["bo"][1] < second["ada"][1] < first["ada"][1], "it starts from the version before it"


def test_court_ratings_are_fitted_separately_for_each_season(field: list[BotVersion]) -> None:
    ada, bo = field[:2]
    rate_results([((ada, bo), (1, 2))] * 3, "2026")
    rate_results([((ada, bo), (2, 1))] * 2, "2027", league=2)
    assert ladder_court_ratings.refit("pig") == 3
    assert [[row[0] for row in ratings(season)] for season in (ALL_TIME, "2026", "2027")] == [
        ["ada", "bo"],
        ["ada", "bo"],
        ["bo", "ada"],
    ]


def test_court_ratings_are_fitted_again_only_after_new_matches(field: list[BotVersion]) -> None:
    rate_results(draw_results(5, field))
    assert ladder_court_ratings.list_stale() == [("pig", ""), ("pig", "2026")]
    assert [ladder_court_ratings.refit("pig") for _ in range(3)] == [2, 0, 0]
    assert ladder_court_ratings.list_stale() == []
    rate_results(draw_results(6, field), "2027")
    assert ladder_court_ratings.list_stale() == [("pig", ""), ("pig", "2027")]


def test_a_failed_rating_fit_of_one_game_does_not_prevent_the_fit_of_another_game(field: list[BotVersion]) -> None:
    ladder_match_rating.rate("pig", "2026", [build_match("lost", ("ada", "bo"), (1, 2))])
    kings = [create_bot(slug, "for_the_king") for slug in ("gus", "hal")]
    rate_results([(kings, (1, 2))], game="for_the_king")
    with pytest.raises(LookupError, match="rates lost"):
        ladder_court_ratings.refit("pig")
    assert ladder_court_ratings.refit("for_the_king") == 2


@pytest.mark.django_db(transaction=True)
def test_a_rating_fit_is_enqueued_after_commit_of_a_rated_match_or_by_the_next_sweep() -> None:
    league = start_league(create_entrants(4), rounds=2, season="2026")
    play_all(league)
    before = count_messages("house")
    tasks.sweep()
    assert count_messages("house") == before + 1
    assert tasks.refit("pig") == 2
    assert {row[0] for row in ratings()} == {"b0", "b1", "b2", "b3"}
    assert CourtRatingFit.objects.get(season="2026").matches == 4
    tasks.measure("pig")  # otherwise the sweeper would enqueue a task for the ladder's new matches, too
    tasks.sweep()
    assert count_messages("house") == before + 1
    with transaction.atomic():
        ladder_match_rating.rate("pig", "2026", add_matches([((entrants_of(league)), (1, 2))], league=9))
        assert count_messages("house") == before + 1
    assert count_messages("house") == before + 2


def entrants_of(league: League) -> list[BotVersion]:
    return [row.version for row in league.entrants.order_by("number")[:2]]


@pytest.mark.django_db(transaction=True)
def test_four_concurrent_processes_fit_each_ladder_once() -> None:
    rate_results(draw_results(50, [create_bot(slug) for slug in ("ada", "bo", "cy", "dot")]))
    assert sum(run_concurrently(*[lambda: ladder_court_ratings.refit("pig")] * 4)) == 2
    assert ladder_court_ratings.list_stale() == []


@pytest.mark.django_db(transaction=True)
def test_fitting_court_ratings_waits_for_no_lock_of_a_league_or_ladder() -> None:
    league = start_league(create_entrants(4), rounds=1, season="2026")
    play_all(league)
    with transaction.atomic():
        League.objects.select_for_update().get(pk=league.pk)
        for season in (ALL_TIME, "2026"):
            EventAppender.open_locked(stream_of("pig", season))
        assert run_concurrently(lambda: ladder_court_ratings.refit("pig")) == [2]


@pytest.mark.django_db(transaction=True)
def test_a_ladder_that_another_process_is_fitting_is_skipped() -> None:
    rate_results(draw_results(5, [create_bot(slug) for slug in ("ada", "bo", "cy")]))
    CourtRatingFit.objects.create(game="pig")
    with transaction.atomic():
        CourtRatingFit.objects.select_for_update().get(season=ALL_TIME)
        assert run_concurrently(lambda: ladder_court_ratings.refit("pig")) == [1]
    assert ladder_court_ratings.list_stale() == [("pig", "")]


def test_the_rating_model_of_a_game_with_roles_estimates_the_advantage_of_each_seat(
    field: list[BotVersion], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ladder_queries.list_roles("pig") == []
    uneven = replace(list_games()["pig"], roles={3: ("hunter", "prey", "prey"), 2: ("prey", "hunter")})
    monkeypatch.setitem(list_games(), "pig", uneven)
    hunts = [([field[at] for at in Random(n).sample(range(6), 3)], (1, 2, 3)) for n in range(60)]
    chases = [([field[at] for at in Random(n).sample(range(6), 2)], (2, 1)) for n in range(60)]
    rate_results([*hunts, *chases])
    ladder_court_ratings.refit("pig")
    hunter, prey = ladder_queries.list_roles("pig")
    assert (hunter.name, prey.name) == ("hunter", "prey")
    assert int(hunter.points) == -int(prey.points) > 0
    low, high = (int(end) for end in hunter.interval.split(" to "))
    assert 0 < low < int(hunter.points) < high
    page = client.get("/games/pig/").content.decode()
    assert hunter.interval in page
    rate_results([((field[0], field[1], field[2], field[3]), (1, 2, 3, 4))], league=2)  # a table size without roles
    ladder_court_ratings.refit("pig")
    assert [role.name for role in ladder_queries.list_roles("pig")] == ["hunter", "prey"]


def test_fitting_court_ratings_again_reads_only_matches_newer_than_the_last_fit(field: list[BotVersion]) -> None:
    first = rate_results(draw_results(40, field))
    ladder_court_ratings.refit("pig")
    before = ratings()
    second = rate_results(draw_results(3, field), league=2)
    with CaptureQueriesContext(connection) as asked:
        ladder_court_ratings.refit("pig")
    seats = [query["sql"] for query in asked.captured_queries if '"replays_matchseat"' in query["sql"]]
    assert len(seats) == 2, "once for each ladder"
    assert all(match.match in seats[0] and match.match in seats[1] for match in second)
    assert not any(match.match in sql for match in first for sql in seats)
    pages = [query["sql"] for query in asked.captured_queries if 'FROM "replays_page"' in query["sql"]]
    assert len(pages) == 2
    assert all(f'"last" > {len(first) - 1}' in sql for sql in pages)
    live = ratings()
    assert live != before
    rated_match_cache.LADDER_CACHE.folds.clear()
    ladder_court_ratings.rebuild("pig")
    assert ratings() == live, "read from the beginning it is the same"


def test_fitting_court_ratings_again_includes_corrected_results(field: list[BotVersion]) -> None:
    played = rate_results(draw_results(40, field))
    ladder_court_ratings.refit("pig")
    ladder_match_rating.correct(played[7].match, played[7].places[::-1], "the seats were read from the wrong end")
    ladder_match_rating.correct(played[8].match, None, "nobody should have played it")
    ladder_court_ratings.refit("pig")
    live = ratings()
    assert CourtRatingFit.objects.get(season=ALL_TIME).matches == len(played) - 1
    rated_match_cache.LADDER_CACHE.folds.clear()
    ladder_court_ratings.rebuild("pig")
    assert ratings() == live
