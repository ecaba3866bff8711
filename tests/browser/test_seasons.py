"""Seasons on the pages: chosen beside author and language, and told wherever a league or a rating is."""

from __future__ import annotations

import re

import pytest
from django.db import transaction
from django.test import Client

from bots.models import Bot
from tests.support.browser.pages import text_of
from tests.support.ladders import counted
from tournaments import ladder, services
from tournaments.models import League
from tournaments.terms import Terms

CHOSEN = re.compile(r"<option(?: value=\"\w*\")? selected>([^<]+)<")


@pytest.fixture
def later(night: League) -> None:
    """A season after the night's, with one match rated."""
    services.open_league(Terms(slug="gala", name="Gala", game="pig", seats=2, rounds=1, season="2027"))
    with transaction.atomic():
        ladder.rate("pig", "2027", [counted("m1", ("b0", "b1"), (1, 2), league=2)])


def listed(page: str) -> set[str]:
    """The bots on a leaderboard."""
    return set(re.findall(r'href="/bots/(\w+)/"', page))


def test_a_leaderboard_is_read_by_season(later: None, client: Client) -> None:
    whole, first, second = (text_of(client, f"/leaderboards/pig/{q}") for q in ("", "?season=2026", "?season=2027"))
    assert [listed(page) for page in (whole, first, second)] == [{"b0", "b1", "b2", "b3"}] * 2 + [{"b0", "b1"}]
    for page, title in ((whole, "All time"), (first, "Season 2026"), (second, "Season 2027")):
        assert f'<h1>Pig</h1>\n<p class="lead">{title}</p>' in page
        assert f"<title>Pig leaderboard, {title.lower()} ·" in page
    assert '<option value="">all time</option><option>2027</option><option selected>2026</option>' in first


def test_a_choice_of_season_keeps_author_and_language(later: None, client: Client) -> None:
    owner = Bot.objects.get(slug="b3").owner.get_username()
    page = text_of(client, f"/leaderboards/pig/?season=2026&author={owner}&language=python")
    assert listed(page) == {"b3"}
    assert CHOSEN.findall(page) == ["2026", owner, "python"]
    page = text_of(client, f"/leaderboards/pig/?season=2027&author={owner}&language=python")
    assert CHOSEN.findall(page) == ["2027", owner, "python"], "though they have not played in that season"
    assert "No bot on this ladder is like that" in page


def test_a_season_that_is_not_there_or_has_not_begun_is_told_so(night: League, client: Client) -> None:
    assert "There is no season “1066” of this game." in text_of(client, "/leaderboards/pig/?season=1066")
    assert "There is no season" in text_of(client, "/leaderboards/pig/?season=%22%3Cb%3E/..")
    services.open_league(Terms(slug="gala", name="Gala", game="pig", seats=2, rounds=1, season="2027"))
    assert "No match of this season has been rated yet." in text_of(client, "/leaderboards/pig/?season=2027")


def test_a_league_s_page_and_every_list_of_leagues_say_the_season(night: League, client: Client) -> None:
    link = '<a href="/leaderboards/pig/?season=2026">Season 2026</a>'
    assert link in text_of(client, "/leagues/night/")
    for path in ("/leagues/", "/"):
        assert "Season 2026 · 4 bots" in text_of(client, path)


def test_a_bot_s_page_says_its_rating_in_each_season(later: None, client: Client) -> None:
    page = text_of(client, "/bots/b0/")
    row = r'href="/leaderboards/pig/([^"]*)">([^<]+)</a>.*?<td class="num soft">([^<]*)</td>'
    rows = re.findall(row + r'.*?<td class="num">(\d+)</td></tr>', page)
    assert [(query, title, games) for query, title, _, games in rows] == [
        ("", "All time", "3"),
        ("?season=2027", "2027", "1"),
        ("?season=2026", "2026", "2"),
    ]
    assert [bool(re.fullmatch(r"\d+ to \d+", interval)) for _, _, interval, _ in rows] == [True, False, True]
