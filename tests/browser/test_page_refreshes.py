"""The page of a large league keeps its loaded parts when it refreshes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connections
from django.utils import timezone
from playwright.sync_api import Page, expect

from replays.models import Match
from tests.support.browser.axe import find_axe_violations
from tests.support.league_entries import open_league
from tools.bench.league_database_filler import create_large_league, end_matches
from tournaments.leagues import services

pytestmark = pytest.mark.slow

R = TypeVar("R")


def aside(call: Callable[[], R]) -> R:
    """Run a function in a thread without playwright's event loop."""

    def done() -> R:
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as hands:
        return hands.submit(done).result()


@pytest.fixture
def league(transactional_db: None) -> str:
    """The URL of a league of 120 bots in its third round."""

    def made() -> str:
        league = create_large_league(120, 3, 2)
        services.record_waiting(league.pk)
        services.do_due_work(league.pk, timezone.now())
        return f"/leagues/{league.slug}/"

    return aside(made)


def refreshed(page: Page, league: str) -> None:
    """Wait until the page has refreshed."""
    with page.expect_response(lambda answer: answer.url.endswith(league)):
        pass


@pytest.mark.nightly
def test_parts_of_a_league_page_loaded_on_demand_remain_after_an_automatic_refresh(
    arena: str, league: str, page: Page
) -> None:
    page.goto(arena + league)
    lines, tables = page.locator("tbody.part tr"), page.locator("#round-3 article")
    expect(lines).to_have_count(50)
    page.get_by_role("link", name="More, from line 51 of 120").click()
    expect(lines).to_have_count(100)
    page.get_by_role("link", name="More tables of round 3").click()
    expect(tables).to_have_count(48)
    page.get_by_text("Round 2", exact=True).click()
    expect(page.locator("#round-2 article")).to_have_count(24)

    def goes_on() -> None:
        first = Match.objects.filter(table__round=3, table__number=1)
        first.update(status=Match.Status.PLAYING)

    aside(goes_on)
    expect(page.locator("#round-3 article").first).to_contain_text("live")
    refreshed(page, league)
    expect(lines).to_have_count(100)
    expect(tables).to_have_count(48)
    expect(page.locator("#round-2 article").first).to_be_visible()
    page.get_by_role("link", name="More, from line 101 of 120").click()
    expect(lines).to_have_count(120)
    aside(lambda: Match.objects.filter(table__round=3, table__number=2).update(status=Match.Status.PLAYING))
    expect(page.locator("#round-3 article").nth(1)).to_contain_text("live")
    expect(lines).to_have_count(120)
    expect(page.get_by_role("link", name="More, from line")).to_have_count(0)
    assert find_axe_violations(page) == []


def test_a_new_round_appears_at_the_top_of_a_league_page_and_the_previous_round_collapses(
    arena: str, transactional_db: None, page: Page
) -> None:
    league = aside(lambda: create_large_league(60, 3, 1))
    aside(lambda: services.record_waiting(league.pk))
    aside(lambda: services.do_due_work(league.pk, timezone.now()))
    page.goto(f"{arena}/leagues/{league.slug}/")
    expect(page.locator("section#round-2 article")).to_have_count(24)
    aside(lambda: end_matches(league))
    aside(lambda: services.record_waiting(league.pk))
    aside(lambda: services.do_due_work(league.pk, timezone.now()))
    expect(page.locator("section#round-3 article")).to_have_count(24)
    expect(page.locator("section#round-2")).to_have_count(0)
    page.get_by_text("Round 2", exact=True).click()
    expect(page.locator("details#round-2 article")).to_have_count(24)


def test_the_back_button_shows_the_whole_league_page_after_an_automatic_refresh(arena: str, page: Page) -> None:
    aside(open_league)
    page.goto(f"{arena}/leagues/night/")
    refreshed(page, "/leagues/night/")
    page.goto(f"{arena}/docs/")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Night")
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
