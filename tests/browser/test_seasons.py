"""Seasons on pages: as a filter of leaderboards, and on leagues, lists and bots."""

from __future__ import annotations

import re

import pytest
from django.db import transaction
from django.test import Client

from bots.models import Bot
from tests.support.browser.pages import fetch_text
from tests.support.ladders import build_match
from tournaments.ladders import ladder_match_rating
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

pytestmark = pytest.mark.slow

CHOSEN = re.compile(r"<option(?: value=\"\w*\")? selected>([^<]+)<")


@pytest.fixture
def later(night: League) -> None:
    """A later season with one rated match."""
    services.open_league(LeagueSettings(slug="gala", name="Gala", game="pig", seats=2, rounds=1, season="2027"))
    with transaction.atomic():
        ladder_match_rating.rate("pig", "2027", [build_match("m1", ("b0", "b1"), (1, 2), league=2)])


def listed(page: str) -> set[str]:
    """Return the names of the bots on a leaderboard."""
    return set(re.findall(r'href="/bots/(\w+)/"', page))


def test_a_leaderboard_can_be_filtered_by_season(later: None, client: Client) -> None:
    whole, first, second = (fetch_text(client, f"/leaderboards/pig/{q}") for q in ("", "?season=2026", "?season=2027"))
    assert [listed(page) for page in (whole, first, second)] == [{"b0", "b1", "b2", "b3"}] * 2 + [{"b0", "b1"}]
    for page, title in ((whole, "All time"), (first, "Season 2026"), (second, "Season 2027")):
        assert f'<h1>Pig</h1>\n<p class="lead">{title}</p>' in page
        assert f"<title>Pig leaderboard, {title.lower()} ·" in page
    assert '<option value="">all time</option><option>2027</option><option selected>2026</option>' in first


def test_choosing_a_season_of_a_leaderboard_keeps_the_filters_for_author_and_language(
    later: None, client: Client
) -> None:
    owner = Bot.objects.get(slug="b3").owner.get_username()
    page = fetch_text(client, f"/leaderboards/pig/?season=2026&author={owner}&language=python")
    assert listed(page) == {"b3"}
    assert CHOSEN.findall(page) == ["2026", owner, "python"]
    page = fetch_text(client, f"/leaderboards/pig/?season=2027&author={owner}&language=python")
    assert CHOSEN.findall(page) == ["2027", owner, "python"], "though they have not played in that season"
    assert "No bot on this ladder is like that" in page


def test_leaderboards_of_unknown_and_future_seasons_show_an_explanation(night: League, client: Client) -> None:
    assert "There is no season “1066” of this game." in fetch_text(client, "/leaderboards/pig/?season=1066")
    assert "There is no season" in fetch_text(client, "/leaderboards/pig/?season=%22%3Cb%3E/..")
    services.open_league(LeagueSettings(slug="gala", name="Gala", game="pig", seats=2, rounds=1, season="2027"))
    assert "No match of this season has been rated yet." in fetch_text(client, "/leaderboards/pig/?season=2027")


def test_league_pages_and_lists_of_leagues_show_the_season(night: League, client: Client) -> None:
    link = '<a href="/leaderboards/pig/?season=2026">Season 2026</a>'
    assert link in fetch_text(client, "/leagues/night/")
    for path in ("/leagues/", "/"):
        assert "Season 2026 · 4 bots" in fetch_text(client, path)


def test_the_page_of_a_bot_shows_its_rating_in_each_season(later: None, client: Client) -> None:
    page = fetch_text(client, "/bots/b0/")
    row = r'href="/leaderboards/pig/([^"]*)">([^<]+)</a>.*?<td class="num soft">([^<]*)</td>'
    rows = re.findall(row + r'.*?<td class="num">(\d+)</td></tr>', page)
    assert [(query, title, games) for query, title, _, games in rows] == [
        ("", "All time", "3"),
        ("?season=2027", "2027", "1"),
        ("?season=2026", "2026", "2"),
    ]
    assert [bool(re.fullmatch(r"\d+ to \d+", interval)) for _, _, interval, _ in rows] == [True, False, True]
