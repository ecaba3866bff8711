"""Every page answers, says what it should without JavaScript, and asks the database little."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.support.browser.pages import text_of
from tournaments.models import League

MOST_QUERIES = 15
"""The home page takes one for the newer pages of all live matches together."""


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
def test_every_page_answers_with_few_queries(
    night: League, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    match = f"/matches/{night.tables.all()[0].match_id}/"
    for path in (*PAGES, match):
        with django_assert_max_num_queries(MOST_QUERIES, info=path):
            text_of(client, path)


@pytest.mark.slow
def test_no_page_holds_a_script_or_a_style_of_its_own(night: League, client: Client) -> None:
    for path in PAGES:
        page = text_of(client, path)
        assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page) == []


@pytest.mark.slow
def test_a_league_reads_without_javascript(night: League, client: Client) -> None:
    page = text_of(client, "/leagues/night/")
    assert all(f"b{number}-1" in page for number in range(4))
    assert "Round 2" in page
    assert "How ties are broken" in page


@pytest.mark.slow
def test_a_closed_league_is_asked_for_no_more(night: League, client: Client) -> None:
    assert 'hx-trigger="every' not in text_of(client, "/leagues/night/")


@pytest.mark.slow
def test_htmx_is_given_the_inner_part_alone(night: League, client: Client) -> None:
    part = client.get("/leagues/night/", headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div class="league"')


@pytest.mark.slow
def test_a_match_tells_its_story_without_javascript(match_id: str, client: Client) -> None:
    page = text_of(client, f"/matches/{match_id}/")
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
        "/leaderboards/nope/",
        "/games/nope/",
        "/games/pig/house/nope/",
        "/bots/nope/",
        "/bots/nope/versions/1/",
        "/matches/nope/",
        "/watch/?match=nope",
    ],
)
def test_what_is_not_there_is_not_found(path: str, client: Client) -> None:
    assert "Nobody by that name" in text_of(client, path, status=404)
