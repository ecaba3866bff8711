"""Series points of bots that withdrew from a league or had a bye in it."""

from __future__ import annotations

from random import Random

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from rest_framework.test import APIClient

from people.person_roles import make_organiser
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import end_matches
from tournaments.league_series.queries import read_series
from tournaments.league_series.services import LeagueSeriesSettings, add_league, open_series
from tournaments.leagues import services
from tournaments.models import League, LeagueMatch

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    """Return a league of one round in a series, with the entries ann, bob, cid and dan."""
    olga = User.objects.create_user("olga")
    make_organiser(olga)
    league = open_league(by="olga", rounds=1)
    for name in ("ann", "bob", "cid", "dan"):
        services.enter_bot(league.pk, create_own_version(name))
    open_series(olga, LeagueSeriesSettings(slug="cup", name="Cup", game="pig"))
    add_league(olga, "cup", "night")
    return league


def withdraw(entry: int) -> None:
    call_command("organise", "withdraw", "night", str(entry), "--why", "its author asked")


@pytest.mark.slow
def test_a_bot_that_withdrew_before_the_first_round_of_a_league_gets_no_series_points_for_it(league: League) -> None:
    withdraw(4)
    services.start(league.pk)
    end_matches(league, Random(1))
    assert LeagueMatch.objects.count() == 1, "one of the three bots had a bye"
    points = {row.bot: float(row.points) for row in read_series("cup").standings}
    assert points.keys() == {"ann", "bob", "cid"}
    assert (min(points.values()), sum(points.values())) == (0, 150)


def test_a_bot_that_withdrew_after_its_first_match_of_a_league_keeps_its_series_points(league: League) -> None:
    services.start(league.pk)
    withdraw(4)
    end_matches(league, Random(1))
    series = read_series("cup")
    assert {row.bot for row in series.standings} == {"ann", "bob", "cid", "dan"}
    answer = APIClient().get("/api/v1/series/cup/")
    assert answer.status_code == 200
    points = [row.results[0][0] for row in series.standings]
    assert [row["results"] for row in answer.json()["standings"]] == [[{"points": p, "counts": True}] for p in points]


def test_a_league_that_an_organiser_closed_before_its_first_result_gives_no_series_points(league: League) -> None:
    services.start(league.pk)
    call_command("organise", "close", "night", "--why", "the clock is wrong")
    series = read_series("cup")
    assert [one.slug for one in series.ended] == ["night"]
    assert (series.finished, series.standings) == ([], [])
