"""A league belongs to a season, in which everybody starts anew."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from ftk_core.league.state import NotNow
from replays.store import pages_of
from tests.support.leagues import entrants, new_league, play_all
from tournaments import demo, ladder_facts, ladder_queries, league_queries, projections, queries, services
from tournaments.elo import START
from tournaments.models import ALL_TIME, League, RatedSeat, Rating
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)


def ratings(season: str) -> dict[str, tuple[int, int]]:
    """Return each bot's rating of a season, and its matches."""
    rows = Rating.objects.filter(season=season).values_list("bot__slug", "value", "matches")
    return {slug: (value, games) for slug, value, games in rows}


def test_a_league_belongs_to_the_year_in_which_it_is_opened() -> None:
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1))
    year = str(league.created_at.year)
    assert projections.load(league)[1].header.season == year
    assert league_queries.read_league("night").season == queries.read_card("night").season == year


def test_an_organiser_calls_a_season_as_they_like() -> None:
    entrants(2)
    out = StringIO()
    call_command("league", "open", "cup", "pig", "--seats", "2", "--rounds", "1", "--season", "autumn-26", stdout=out)
    call_command("league", "show", "cup", stdout=out)
    assert "cup: open, round 0 of 1, season autumn-26" in out.getvalue()


@pytest.mark.parametrize("label", ["", "Autumn", "autumn 26", "spring/26", "2026\n", "a" * 21, "été"])
def test_a_label_that_cannot_be_a_season_is_named_and_answered_with_a_remedy(label: str) -> None:
    with pytest.raises(NotNow, match="1 to 20 of a-z, 0-9 and -, like 2026") as refusal:
        services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1, season=label))
    assert repr(label) in str(refusal.value)
    with pytest.raises(CommandError, match="cannot be a season"):
        call_command("league", "open", "night", "pig", "--seats", "2", "--season", label)
    assert not League.objects.exists()


def test_the_demo_is_played_in_the_season_it_is_asked_for() -> None:
    played = [*demo.nights(None, None, "cup"), *demo.nights("pig", 1, "cup"), demo.show(4, "cup")]
    assert {night.season for night in played} == {"cup"}
    assert demo.nights("pig", None, None)[0].season is None


@pytest.mark.slow
def test_in_a_new_season_everybody_starts_anew() -> None:
    versions = entrants(2)
    play_all(new_league(versions, season="2026"))
    first = ratings("2026")
    assert first == ratings(ALL_TIME)
    play_all(new_league(versions, slug="gala", season="2027"))
    assert ratings("2026") == first
    assert [games for _, games in ratings("2027").values()] == [2, 2]
    assert [games for _, games in ratings(ALL_TIME).values()] == [4, 4]
    (begun, *_) = RatedSeat.objects.filter(ladder__season="2027").order_by("at", "seat")
    assert begun.before == START


@pytest.mark.slow
def test_the_ladder_of_the_first_season_says_what_that_of_all_time_says() -> None:
    play_all(new_league(entrants(8), rounds=1, season="2026"))
    one, other = (pages_of(ladder_facts.stream_of("pig", season)) for season in (ALL_TIME, "2026"))
    assert [page.body for page in one] == [page.body for page in other]


def test_seasons_are_told_the_newest_first_and_with_those_that_have_not_begun() -> None:
    for slug, season in (("one", "2026"), ("two", "autumn"), ("three", "2026"), ("four", "2027")):
        services.open_league(Terms(slug=slug, name=slug, game="pig", seats=2, rounds=1, season=season))
    assert ladder_queries.list_seasons("pig") == ladder_queries.read_ladder("pig").seasons == ["2027", "2026", "autumn"]
    assert ladder_queries.list_seasons("kings_court") == []


@pytest.mark.slow
def test_a_bot_stands_on_the_ladder_of_every_season_it_was_rated_in() -> None:
    versions = entrants(2)
    play_all(new_league(versions, rounds=1, season="2026"))
    play_all(new_league(versions, slug="gala", season="2027"))
    new_league(versions, slug="next", season="2028")
    standing = ladder_queries.read_standing("b1", "pig")
    assert standing is not None
    assert [(season, row.matches) for season, row in standing.ladders] == [(ALL_TIME, 3), ("2027", 2), ("2026", 1)]


def test_a_season_that_never_was_has_an_empty_ladder() -> None:
    play_all(new_league(entrants(2), rounds=1, season="2026"))
    found = ladder_queries.read_ladder("pig", "1066")
    assert (found.rows, found.matrix.names, found.seasons) == ([], [], ["2026"])
