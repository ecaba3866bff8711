"""The court ratings on the server: fitted from what is rated, beside all other work, to the same digits always."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connections, transaction

from bots.models import BotVersion
from foundation.doorbell import bells
from ftk_core.league.court import Played, fit
from replays.store import StreamLog
from tests.support.ladders import NAMES, bot, later, matches, rate, some
from tests.support.leagues import entrants, new_league, play_all
from tournaments import court_ratings, ladder, tasks
from tournaments.models import ALL_TIME, CourtFit, CourtRating, League, Rating

LONG = 30


def ratings(season: str = ALL_TIME) -> list[tuple[Any, ...]]:
    """Return all that is published of a ladder's court ratings."""
    rows = CourtRating.objects.filter(season=season).order_by("-value", "bot__slug")
    return list(rows.values_list("bot__slug", "version", "value", "low", "high", "provisional", "ahead"))


def at_once(*calls: Callable[[], int]) -> list[int]:
    """Make all calls at the same moment, each on a connection of its own."""
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
    """Six bots that have not played."""
    return [bot(slug) for slug in NAMES]


def test_the_ratings_are_those_that_one_fit_of_all_rated_matches_gives(field: list[BotVersion]) -> None:
    results = some(40, field) + some(9, field, seats=2)
    rate(results)
    assert court_ratings.refit("pig") == 2
    number = {version.pk: at for at, version in enumerate(field)}
    played = [
        Played(
            np.array([[number[v.pk] for v in seats] for seats, _ in results if len(seats) == size]),
            np.array([places for seats, places in results if len(seats) == size]),
        )
        for size in (2, 3)
    ]
    court = fit(played, np.full(len(field), -1))
    rated = [(version.bot.slug, court.rated(at)) for at, version in enumerate(field)]
    assert {row[0]: row[2:6] for row in ratings()} == {
        slug: (round(100 * one.rating), round(100 * one.low), round(100 * one.high), one.provisional)
        for slug, one in rated
    }
    row = CourtFit.objects.get(season=ALL_TIME)
    assert row.matches == len(results)
    assert 0 < row.bound < 1e-6
    assert row.seats[1][0][0] == court.seat(3, 0).rating


def test_whatever_the_order_of_arrival_the_digits_are_the_same(field: list[BotVersion]) -> None:
    played = matches(some(60, field))
    ladder.rate("pig", "a", played)
    Random(1).shuffle(played)
    ladder.rate("pig", "b", played)
    court_ratings.refit("pig")
    assert ratings("a") == ratings("b")
    elo = {season: set(Rating.objects.filter(season=season).values_list("bot", "value")) for season in "ab"}
    assert elo["a"] != elo["b"], "which is why Elo says so little"


def test_rebuilt_they_have_the_same_digits(field: list[BotVersion]) -> None:
    rate(some(30, field))
    court_ratings.refit("pig")
    before, fits = (ratings(), ratings("2026")), list(CourtFit.objects.order_by("season").values("head", "bound"))
    CourtRating.objects.update(value=1)
    call_command("rebuild", verbosity=0)
    assert (ratings(), ratings("2026")) == before
    assert list(CourtFit.objects.order_by("season").values("head", "bound")) == fits


def test_a_bot_is_rated_by_its_newest_version_that_played(field: list[BotVersion]) -> None:
    ada, bo = field[:2]
    rate([((ada, bo), (1, 2))] * 12)
    court_ratings.refit("pig")
    first = {slug: (version, value) for slug, version, value, *_ in ratings()}
    newer = later(ada)
    later(newer)  # has not played
    rate([((newer, bo), (2, 1))])
    court_ratings.refit("pig")
    second = {slug: (version, value) for slug, version, value, *_ in ratings()}
    assert (first["ada"][0], second["ada"][0]) == (1, 2)
    assert second["bo"][1] < second["ada"][1] < first["ada"][1], "it starts from the version before it"


def test_seasons_are_fitted_by_themselves(field: list[BotVersion]) -> None:
    ada, bo = field[:2]
    rate([((ada, bo), (1, 2))] * 3, "2026")
    rate([((ada, bo), (2, 1))] * 2, "2027")
    assert court_ratings.refit("pig") == 3
    assert [[row[0] for row in ratings(season)] for season in (ALL_TIME, "2026", "2027")] == [
        ["ada", "bo"],
        ["ada", "bo"],
        ["bo", "ada"],
    ]


def test_what_is_fitted_is_not_fitted_again_until_its_ladder_goes_on(field: list[BotVersion]) -> None:
    rate(some(5, field))
    assert court_ratings.list_stale() == [("pig", ""), ("pig", "2026")]
    assert [court_ratings.refit("pig") for _ in range(3)] == [2, 0, 0]
    assert court_ratings.list_stale() == []
    rate(some(6, field), "2027")
    assert court_ratings.list_stale() == [("pig", ""), ("pig", "2027")]


def test_a_match_of_which_nobody_knows_who_sat_there_is_named_and_stops_no_other_game(field: list[BotVersion]) -> None:
    ladder.rate("pig", "2026", [("lost", ("ada", "bo"), (1, 2))])
    kings = [bot(slug, "for_the_king") for slug in ("gus", "hal")]
    rate([(kings, (1, 2))], game="for_the_king")
    with pytest.raises(LookupError, match="rates lost"):
        court_ratings.refit("pig")
    assert court_ratings.refit("for_the_king") == 2


@pytest.mark.django_db(transaction=True)
def test_a_league_whose_rounds_close_rings_for_the_ratings_and_the_sweeper_does_where_that_was_lost() -> None:
    league = new_league(entrants(4), rounds=2, season="2026")
    play_all(league)
    before = bells("house")
    tasks.sweep()
    assert bells("house") == before + 1
    assert tasks.refit("pig") == 2
    assert {row[0] for row in ratings()} == {"b0", "b1", "b2", "b3"}
    assert CourtFit.objects.get(season="2026").matches == 4
    tasks.sweep()
    assert bells("house") == before + 1
    with transaction.atomic():
        ladder.rate("pig", "2026", matches([((entrants_of(league)), (1, 2))]))
        assert bells("house") == before + 1
    assert bells("house") == before + 2


def entrants_of(league: League) -> list[BotVersion]:
    return [row.version for row in league.entrants.order_by("number")[:2]]


@pytest.mark.django_db(transaction=True)
def test_rung_for_by_four_at_once_each_ladder_is_fitted_once() -> None:
    rate(some(50, [bot(slug) for slug in ("ada", "bo", "cy", "dot")]))
    assert sum(at_once(*[lambda: court_ratings.refit("pig")] * 4)) == 2
    assert court_ratings.list_stale() == []


@pytest.mark.django_db(transaction=True)
def test_a_fit_waits_for_no_league_and_no_ladder() -> None:
    league = new_league(entrants(4), rounds=1, season="2026")
    play_all(league)
    with transaction.atomic():
        League.objects.select_for_update().get(pk=league.pk)
        for season in (ALL_TIME, "2026"):
            StreamLog.alone(ladder.stream_of("pig", season))
        assert at_once(lambda: court_ratings.refit("pig")) == [2]


@pytest.mark.django_db(transaction=True)
def test_whoever_finds_a_ladder_being_fitted_leaves_it() -> None:
    rate(some(5, [bot(slug) for slug in ("ada", "bo", "cy")]))
    CourtFit.objects.create(game="pig")
    with transaction.atomic():
        CourtFit.objects.select_for_update().get(season=ALL_TIME)
        assert at_once(lambda: court_ratings.refit("pig")) == [1]
    assert court_ratings.list_stale() == [("pig", "")]
