"""Series: final places of several leagues added up, with dropped results; opened and changed by their organiser."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from hypothesis import given, strategies as st
from rest_framework.test import APIClient

from ftk_core.league.league_state import CommandRejected
from ftk_core.league.scoring.series_points import points_of_places, series_standings
from people.models import StaffAct
from people.person_roles import make_organiser
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants, play_all
from tournaments.league_series.queries import read_series
from tournaments.league_series.services import LeagueSeriesSettings, add_league, open_series, remove_league
from tournaments.leagues import services as league_services
from tournaments.models import League
from tournaments.models.series import Series
from tournaments.organisers.organiser_permission_checks import MissingRightError

PLACES = st.lists(st.dictionaries(st.sampled_from("abcde"), st.integers(1, 5), min_size=1), min_size=1, max_size=5)
TERMS = LeagueSeriesSettings(slug="cup", name="Cup", game="pig", drops=1, points=(10, 6, 3))


@pytest.fixture
def olga(db: None) -> User:
    person = User.objects.create_user("olga")
    make_organiser(person)
    return person


def play_leagues(count: int) -> None:
    """Play this many leagues of olga with the same four bots to their end."""
    versions = create_entrants()
    for number in range(1, count + 1):
        league = open_league(slug=f"night-{number}", name=f"Night {number}", by="olga")
        for version in versions:
            league_services.enter_bot(league.pk, version)
        league_services.start(league.pk)
        play_all(league)


@given(leagues=PLACES, drops=st.integers(0, 6))
def test_the_dropped_results_of_a_bot_in_a_series_are_its_worst_results(
    leagues: list[dict[str, int]], drops: int
) -> None:
    for standing in series_standings(leagues, (9, 5, 2), drops):
        results = [result for result in standing.results if result]
        counted = [result.points for result in results if result.counts]
        dropped = [result.points for result in results if not result.counts]
        assert standing.points == sum(counted)
        assert len(counted) <= max(1, len(leagues) - drops)
        assert not dropped or max(dropped) <= min(counted)


@given(leagues=PLACES)
def test_bots_that_tie_in_a_league_divide_the_series_points_of_their_places_between_them(
    leagues: list[dict[str, int]],
) -> None:
    for places in leagues:
        distinct = {bot: 1 + sum(other < place for other in places.values()) for bot, place in places.items()}
        assert sum(points_of_places(distinct, (9, 5, 2)).values()) == sum((9, 5, 2)[: len(places)])


def test_two_bots_with_equal_series_points_are_ranked_by_their_best_single_result() -> None:
    rows = series_standings(
        [{"a": 1, "b": 2, "c": 3}, {"c": 1, "b": 2, "a": 3}, {"a": 3, "b": 2, "c": 1}], (10, 6, 2), 0
    )
    assert [(row.place, row.bot, row.points) for row in rows] == [(1, "c", 22), (2, "b", 18), (3, "a", 14)]
    rows = series_standings([{"a": 1, "b": 2}, {"a": 4, "b": 2}], (8, 4), 0)
    assert [(row.place, row.bot, row.points) for row in rows] == [(1, "a", 8), (2, "b", 8)]


@pytest.mark.slow
@given(leagues=PLACES, drops=st.integers(0, 6), shuffled=st.randoms(use_true_random=False))
def test_the_standings_of_a_series_do_not_depend_on_the_order_in_which_bots_are_listed(
    leagues: list[dict[str, int]], drops: int, shuffled: Random
) -> None:
    mixed = [dict(shuffled.sample(list(places.items()), len(places))) for places in leagues]
    assert series_standings(mixed, (9, 5, 2), drops) == series_standings(leagues, (9, 5, 2), drops)


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_series_points_from_three_leagues_are_added_up_and_restored_from_the_event_stream(
    client: Client, olga: User
) -> None:
    play_leagues(3)
    open_series(olga, TERMS)
    for number in (1, 2, 3):
        add_league(olga, "cup", f"night-{number}")
    shown = read_series("cup")
    places = [
        dict(League.objects.get(slug=f"night-{number}").entrants.values_list("version__bot__slug", "place"))
        for number in (1, 2, 3)
    ]
    expected = series_standings(places, TERMS.points, TERMS.drops)
    assert [(row.place, row.bot, row.points) for row in shown.standings] == [
        (row.place, row.bot, f"{float(row.points):.1f}".removesuffix(".0")) for row in expected
    ]
    page = client.get("/series/cup/").content.decode()
    assert page.count("<s title=") == 4  # one dropped league of each bot
    assert '<a href="/series/cup/">Cup</a>' in client.get("/leagues/night-2/").content.decode()
    Series.objects.update(name="lost", drops=0, points=[], owner=None)
    Series.leagues.through.objects.all().delete()
    call_command("rebuild")
    assert read_series("cup") == shown
    assert Series.objects.get().owner == olga


def test_an_unfinished_league_does_not_count_in_the_standings_of_its_series(olga: User) -> None:
    open_league(by="olga")
    open_series(olga, TERMS)
    add_league(olga, "cup", "night")
    shown = read_series("cup")
    assert ([league.slug for league in shown.coming], shown.finished, shown.standings) == (["night"], [], [])


def test_a_cancelled_league_of_a_series_is_listed_as_ended_without_a_result(olga: User, client: Client) -> None:
    open_league(by="olga")
    open_series(olga, TERMS)
    add_league(olga, "cup", "night")
    call_command("organise", "cancel", "night", "--why", "the hall is flooded")
    shown = read_series("cup")
    assert ([league.slug for league in shown.ended], shown.coming, shown.finished) == (["night"], [], [])
    page = client.get("/series/cup/").content.decode()
    assert ("Ended without a result" in page, "Still to be finished" in page) == (True, False)


def test_a_league_is_added_to_a_series_only_by_an_organiser_of_both(olga: User) -> None:
    other = User.objects.create_user("otto")
    make_organiser(other)
    open_league(by="olga")
    open_league(slug="elsewhere", by="otto")
    open_series(olga, TERMS)
    with pytest.raises(MissingRightError, match="only the organiser who opened Cup changes it"):
        add_league(other, "cup", "elsewhere")
    with pytest.raises(MissingRightError, match="only organisers of Night add it to a series"):
        add_league(olga, "cup", "elsewhere")
    with pytest.raises(MissingRightError, match="only organisers open series"):
        open_series(User.objects.create_user("author"), LeagueSeriesSettings(slug="mine", name="Mine", game="pig"))


def test_an_organiser_with_a_bot_in_a_begun_league_cannot_change_the_series_of_the_league(olga: User) -> None:
    open_series(olga, TERMS)
    versions = (create_own_version("olgas", olga), *create_entrants(2))
    for slug in ("early", "later"):
        league = open_league(slug=slug, by="olga")
        for version in versions:
            league_services.enter_bot(league.pk, version)
    add_league(olga, "cup", "early")
    for league in League.objects.all():
        league_services.start(league.pk)
    with pytest.raises(MissingRightError, match="a bot of yours plays in"):
        add_league(olga, "cup", "later")
    with pytest.raises(MissingRightError, match="a bot of yours plays in"):
        remove_league(olga, "cup", "early")
    assert not StaffAct.objects.exists()
    staff = User.objects.create_user("root", is_staff=True)
    add_league(staff, "cup", "later")
    remove_league(staff, "cup", "early")
    acts = StaffAct.objects.order_by("pk").values_list("by__username", "what", "on")
    assert list(acts) == [("root", "series", "series cup: add later"), ("root", "series", "series cup: remove early")]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"slug": "a b"}, "got 'a b'"),
        ({"name": "  "}, "the name has 1 to 80 characters"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"drops": 51}, "dropped leagues must be 0 to 50"),
        ({"points": (3, 5)}, "none larger than the one before it"),
        ({"points": (10_001,)}, "numbers from 0 to 10000"),
    ],
)
def test_invalid_settings_of_a_series_are_refused_and_nothing_is_stored(
    olga: User, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(CommandRejected, match=re.escape(message)):
        open_series(olga, LeagueSeriesSettings(**{"slug": "cup", "name": "Cup", "game": "pig"} | changed))
    assert not Series.objects.exists()


def test_a_league_can_be_added_only_once_and_only_to_a_series_of_its_game(olga: User) -> None:
    open_league(by="olga")
    open_series(olga, TERMS)
    add_league(olga, "cup", "night")
    with pytest.raises(CommandRejected, match="Night is in Cup already"):
        add_league(olga, "cup", "night")
    with pytest.raises(CommandRejected, match="there is a series cup already"):
        open_series(olga, TERMS)
    open_series(olga, LeagueSeriesSettings(slug="kings", name="Kings", game="kings_court"))
    with pytest.raises(CommandRejected, match="Kings is a series of kings_court, and Night plays pig"):
        add_league(olga, "kings", "night")
    with pytest.raises(League.DoesNotExist, match="Kings has no league 'night'"):
        remove_league(olga, "kings", "night")


def test_an_organiser_can_create_a_series_on_the_website_and_add_and_remove_a_league(
    client: Client, olga: User
) -> None:
    open_league(by="olga")
    client.force_login(olga)
    form = {"name": "Winter Cup", "game": "pig", "drops": "0", "points": "10, x"}
    refused = client.post("/series/", form)
    assert refused.status_code == 400
    assert "Write whole numbers with spaces between them" in unescape(refused.content.decode())
    opened = client.post("/series/", form | {"points": "10, 6"})
    assert opened.headers["Location"] == "/series/winter-cup/"
    client.post("/series/winter-cup/", {"add": "night"})
    assert [league.slug for league in read_series("winter-cup").coming] == ["night"]
    again = client.post("/series/winter-cup/", {"add": "night"})
    assert (again.status_code, "Night is in Winter Cup already." in again.content.decode()) == (400, True)
    client.post("/series/winter-cup/", {"remove": "night"})
    assert read_series("winter-cup").leagues == 0


def test_a_series_with_a_chinese_name_needs_an_explicit_name_for_its_url(client: Client, olga: User) -> None:
    client.force_login(olga)
    form = {"name": "冬季盃", "game": "pig", "drops": "0"}
    refused = client.post("/series/", form)
    assert refused.status_code == 400
    assert "the address has letters, digits, - and _ (got '')." in unescape(refused.content.decode()).lower()
    assert client.post("/series/", form | {"slug": "winter"}).headers["Location"] == "/series/winter/"
    assert read_series("winter").name == "冬季盃"


def test_the_api_can_create_a_series_and_add_leagues_to_it_or_remove_them(olga: User) -> None:
    open_league(by="olga")
    program = APIClient()
    program.force_authenticate(olga)
    terms = {"slug": "cup", "name": "Cup", "game": "pig", "points": [5, 3]}
    assert program.post("/api/v1/series/", terms, format="json").status_code == 201
    added = program.post("/api/v1/series/cup/leagues/", {"league": "night"}, format="json")
    assert added.json()["coming"] == [{"slug": "night", "name": "Night", "status": "open"}]
    assert program.get("/api/v1/series/").json()["series"][0]["leagues"] == 1
    assert program.delete("/api/v1/series/cup/leagues/night/").json()["coming"] == []
    assert program.delete("/api/v1/series/cup/leagues/night/").status_code == 404
    assert program.post("/api/v1/series/", terms, format="json").status_code == 409
    assert APIClient().post("/api/v1/series/", terms, format="json").status_code == 401
