"""Seasons: each league belongs to one season, and ratings start anew in each season."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from ftk_core.league.league_state import CommandRejected
from replays.event_stream_storage import pages_of
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments import demo_leagues
from tournaments.ladders import ladder_event_types, queries as ladder_queries
from tournaments.ladders.elo_ratings import START_RATING
from tournaments.leagues import league_event_projection, services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import ALL_TIME, League, RatedMatchSeat, Rating
from tournaments.reports import league_lists, league_page_queries

pytestmark = pytest.mark.django_db(transaction=True)


def ratings(season: str) -> dict[str, tuple[int, int]]:
    """Return by bot its rating in a season and its number of matches."""
    rows = Rating.objects.filter(season=season).values_list("bot__slug", "value", "matches")
    return {slug: (value, games) for slug, value, games in rows}


def test_a_league_belongs_to_the_season_of_the_year_in_which_it_opens() -> None:
    league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1))
    year = str(league.created_at.year)
    assert league_event_projection.load(league)[1].header.season == year
    assert league_page_queries.read_league("night").season == league_lists.read_card("night").season == year


def test_an_organiser_can_name_a_season() -> None:
    create_entrants(2)
    out = StringIO()
    call_command("league", "open", "cup", "pig", "--seats", "2", "--rounds", "1", "--season", "autumn-26", stdout=out)
    call_command("league", "show", "cup", stdout=out)
    assert "cup: open, round 0 of 1, season autumn-26" in out.getvalue()


@pytest.mark.parametrize("label", ["", "Autumn", "autumn 26", "spring/26", "2026\n", "a" * 21, "été"])
def test_an_invalid_season_name_is_refused_with_a_remedy(label: str) -> None:
    with pytest.raises(CommandRejected, match="1 to 20 of a-z, 0-9 and -, like 2026") as refusal:
        services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1, season=label))
    assert repr(label) in str(refusal.value)
    with pytest.raises(CommandError, match="cannot be a season"):
        call_command("league", "open", "night", "pig", "--seats", "2", "--season", label)
    assert not League.objects.exists()


def test_the_demo_command_plays_its_leagues_in_the_given_season() -> None:
    played = [
        *demo_leagues.plan_leagues(None, None, "cup"),
        *demo_leagues.plan_leagues("pig", 1, "cup"),
        demo_leagues.plan_show(4, "cup"),
    ]
    assert {night.season for night in played} == {"cup"}
    assert demo_leagues.plan_leagues("pig", None, None)[0].season is None


@pytest.mark.slow
def test_every_bot_starts_a_new_season_with_the_initial_rating() -> None:
    versions = create_entrants(2)
    play_all(start_league(versions, season="2026"))
    first = ratings("2026")
    assert first == ratings(ALL_TIME)
    play_all(start_league(versions, slug="gala", season="2027"))
    assert ratings("2026") == first
    assert [games for _, games in ratings("2027").values()] == [2, 2]
    assert [games for _, games in ratings(ALL_TIME).values()] == [4, 4]
    (begun, *_) = RatedMatchSeat.objects.filter(ladder__season="2027").order_by("at", "seat")
    assert begun.before == START_RATING


@pytest.mark.slow
def test_the_ladder_of_the_first_season_equals_the_all_time_ladder() -> None:
    play_all(start_league(create_entrants(8), rounds=1, season="2026"))
    one, other = (pages_of(ladder_event_types.stream_of("pig", season)) for season in (ALL_TIME, "2026"))
    assert [page.body for page in one] == [page.body for page in other]


def test_seasons_are_listed_newest_first_including_future_seasons() -> None:
    for slug, season in (("one", "2026"), ("two", "autumn"), ("three", "2026"), ("four", "2027")):
        services.open_league(LeagueSettings(slug=slug, name=slug, game="pig", seats=2, rounds=1, season=season))
    assert ladder_queries.list_seasons("pig") == ladder_queries.read_ladder("pig").seasons == ["2027", "2026", "autumn"]
    assert ladder_queries.list_seasons("kings_court") == []


@pytest.mark.slow
def test_the_ladder_of_an_unknown_season_is_empty() -> None:
    play_all(start_league(create_entrants(2), rounds=1, season="2026"))
    found = ladder_queries.read_ladder("pig", "1066")
    assert (found.rows, found.matrix.names, found.seasons) == ([], [], ["2026"])
