"""The court ratings on the server: fitted from what is rated, beside all other work, to the same digits always."""

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
from foundation.doorbell import bells
from ftk_core.games import shelf
from ftk_core.league.court import Played, fit
from replays.store import StreamLog
from tests.support.ladders import NAMES, bot, counted, later, matches, rate, some
from tests.support.leagues import entrants, new_league, play_all
from tournaments import court_matches, court_ratings, ladder, ladder_queries, tasks
from tournaments.ladder_facts import stream_of
from tournaments.models import ALL_TIME, CourtFit, CourtRating, League

LONG = 30


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No fit of another test's ladder of the same name puts one off here."""
    monkeypatch.setattr(court_ratings, "_due", {})


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
    rate([((ada, bo), (2, 1))] * 2, "2027", league=2)
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
    ladder.rate("pig", "2026", [counted("lost", ("ada", "bo"), (1, 2))])
    kings = [bot(slug, "for_the_king") for slug in ("gus", "hal")]
    rate([(kings, (1, 2))], game="for_the_king")
    with pytest.raises(LookupError, match="rates lost"):
        court_ratings.refit("pig")
    assert court_ratings.refit("for_the_king") == 2


@pytest.mark.slow
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
    tasks.measure("pig")  # now that the ladder knows of matches the sweeper would ring for that, too
    tasks.sweep()
    assert bells("house") == before + 1
    with transaction.atomic():
        ladder.rate("pig", "2026", matches([((entrants_of(league)), (1, 2))], league=9))
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
            StreamLog.alone(stream_of("pig", season))
        assert at_once(lambda: court_ratings.refit("pig")) == [2]


@pytest.mark.django_db(transaction=True)
def test_whoever_finds_a_ladder_being_fitted_leaves_it() -> None:
    rate(some(5, [bot(slug) for slug in ("ada", "bo", "cy")]))
    CourtFit.objects.create(game="pig")
    with transaction.atomic():
        CourtFit.objects.select_for_update().get(season=ALL_TIME)
        assert at_once(lambda: court_ratings.refit("pig")) == [1]
    assert court_ratings.list_stale() == [("pig", "")]


def test_a_game_whose_seats_have_roles_says_what_each_is_worth(
    field: list[BotVersion], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ladder_queries.list_roles("pig") == []
    uneven = replace(shelf()["pig"], roles={3: ("hunter", "prey", "prey"), 2: ("prey", "hunter")})
    monkeypatch.setitem(shelf(), "pig", uneven)
    hunts = [([field[at] for at in Random(n).sample(range(6), 3)], (1, 2, 3)) for n in range(60)]
    chases = [([field[at] for at in Random(n).sample(range(6), 2)], (2, 1)) for n in range(60)]
    rate([*hunts, *chases])
    court_ratings.refit("pig")
    hunter, prey = ladder_queries.list_roles("pig")
    assert (hunter.name, prey.name) == ("hunter", "prey")
    assert int(hunter.points) == -int(prey.points) > 0
    low, high = (int(end) for end in hunter.interval.split(" to "))
    assert 0 < low < int(hunter.points) < high
    page = client.get("/games/pig/").content.decode()
    assert hunter.interval in page
    rate([((field[0], field[1], field[2], field[3]), (1, 2, 3, 4))], league=2)  # a size whose seats are alike
    court_ratings.refit("pig")
    assert [role.name for role in ladder_queries.list_roles("pig")] == ["hunter", "prey"]


def test_a_refit_reads_of_stream_and_seats_what_came_since_the_last_one(field: list[BotVersion]) -> None:
    first = rate(some(40, field))
    court_ratings.refit("pig")
    before = ratings()
    second = rate(some(3, field), league=2)
    with CaptureQueriesContext(connection) as asked:
        court_ratings.refit("pig")
    seats = [query["sql"] for query in asked.captured_queries if '"replays_matchseat"' in query["sql"]]
    assert len(seats) == 2, "once for each ladder"
    assert all(match.match in seats[0] and match.match in seats[1] for match in second)
    assert not any(match.match in sql for match in first for sql in seats)
    pages = [query["sql"] for query in asked.captured_queries if 'FROM "replays_page"' in query["sql"]]
    assert len(pages) == 2
    assert all(f'"last" > {len(first) - 1}' in sql for sql in pages)
    live = ratings()
    assert live != before
    court_matches.LADDERS.kept.clear()
    court_ratings.rebuild("pig")
    assert ratings() == live, "read from the beginning it is the same"


def test_corrections_are_read_on_too(field: list[BotVersion]) -> None:
    played = rate(some(40, field))
    court_ratings.refit("pig")
    ladder.correct(played[7].match, played[7].places[::-1], "the seats were read from the wrong end")
    ladder.correct(played[8].match, None, "nobody should have played it")
    court_ratings.refit("pig")
    live = ratings()
    assert CourtFit.objects.get(season=ALL_TIME).matches == len(played) - 1
    court_matches.LADDERS.kept.clear()
    court_ratings.rebuild("pig")
    assert ratings() == live
