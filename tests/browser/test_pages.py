"""Pages work without JavaScript and with few queries."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.support.browser.pages import fetch_text
from tournaments.models import League

MOST_QUERIES = 16
"""Maximum queries of a page. The home page needs one of them for the newest log pages of all live matches."""


PAGES = (
    "/",
    "/watch/",
    "/search/",
    "/search/?game=pig&bot=b1&opponent=b0&result=won&league=night&least=1&most=99999&excuse=crash",
    "/leagues/",
    "/leagues/night/",
    "/leagues/night/standings/",
    "/leagues/night/rounds/1/",
    "/leagues/night/cross/",
    "/leagues/night/acts/",
    "/leaderboards/pig/",
    "/leaderboards/pig/?author=nobody",
    "/leaderboards/pig/?season=2026&author=nobody",
    "/leaderboards/pig/?season=1066",
    "/games/pig/",
    "/games/pig/house/hold20/",
    "/bots/",
    "/bots/b1/",
    "/bots/b1/?opponent=b0&result=won",
    "/bots/b1/?opponent=nobody",
    "/bots/b1/versions/1/",
    "/write-a-bot/",
    "/status/",
)


@pytest.mark.slow
def test_every_page_stays_within_the_limit_of_database_queries(
    night: League, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    match = f"/matches/{night.tables.all()[0].match_id}/"
    for path in (*PAGES, match):
        with django_assert_max_num_queries(MOST_QUERIES, info=path):
            fetch_text(client, path)


@pytest.mark.slow
def test_no_page_has_inline_scripts_or_styles(night: League, client: Client) -> None:
    for path in PAGES:
        page = fetch_text(client, path)
        assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page) == []


@pytest.mark.slow
def test_the_page_of_a_league_is_readable_without_javascript(night: League, client: Client) -> None:
    page = fetch_text(client, "/leagues/night/")
    assert all(f"b{number}-1" in page for number in range(4))
    assert "Round 2" in page
    assert "How ties are broken" in page


@pytest.mark.slow
def test_the_page_of_a_finished_league_does_not_poll_the_server(night: League, client: Client) -> None:
    assert 'hx-trigger="every' not in fetch_text(client, "/leagues/night/")


@pytest.mark.slow
def test_htmx_requests_get_only_the_html_fragment_of_a_page(night: League, client: Client) -> None:
    part = client.get("/leagues/night/", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div class="league"')


@pytest.mark.slow
def test_the_text_of_a_match_is_readable_without_javascript(match_id: str, client: Client) -> None:
    page = fetch_text(client, f"/matches/{match_id}/")
    assert "holds and banks" in page
    assert f'href="/api/v1/matches/{match_id}/log/"' in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/nope/",
        "/leagues/nope/",
        "/leagues/nope/feed.atom",
        "/leagues/nope/rounds.ics",
        "/leagues/nope/screen/",
        "/leagues/nope/print/",
        "/leaderboards/nope/",
        "/games/nope/",
        "/games/pig/house/nope/",
        "/bots/nope/",
        "/bots/nope/versions/1/",
        "/matches/nope/",
        "/matches/nope/card.png",
        "/watch/?match=nope",
    ],
)
def test_an_unknown_url_returns_a_404_page(path: str, client: Client) -> None:
    assert "Page not found" in fetch_text(client, path, status=404)
