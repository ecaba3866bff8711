"""What a visitor of a large league opens or asks for comes to where they are, and stays while the page goes on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connections
from django.utils import timezone
from playwright.sync_api import Page, expect

from replays.models import Match
from tests.support.bench.leagues import end_matches, large_league
from tests.support.browser.axe import breaches
from tournaments import services

R = TypeVar("R")


def aside(call: Callable[[], R]) -> R:
    """Do something to the database in a thread, as playwright's event loop runs in this one."""

    def done() -> R:
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as hands:
        return hands.submit(done).result()


@pytest.fixture
def league(transactional_db: None) -> str:
    """The address of a league of 120 in its third round."""

    def made() -> str:
        league = large_league(120, 3, 2)
        services.record_waiting(league.pk)
        services.tend(league.pk, timezone.now())
        return f"/leagues/{league.slug}/"

    return aside(made)


def refreshed(page: Page, league: str) -> None:
    """Wait until the page has brought itself up to date."""
    with page.expect_response(lambda answer: answer.url.endswith(league)):
        pass


@pytest.mark.slow
def test_what_was_asked_for_stays_while_the_page_brings_itself_up_to_date(arena: str, league: str, page: Page) -> None:
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
    expect(page.get_by_role("link", name="More, from line")).to_have_count(0)
    assert breaches(page) == []


@pytest.mark.slow
def test_a_round_that_begins_comes_to_the_top_and_the_one_before_is_folded(
    arena: str, transactional_db: None, page: Page
) -> None:
    league = aside(lambda: large_league(60, 3, 1))
    aside(lambda: services.record_waiting(league.pk))
    aside(lambda: services.tend(league.pk, timezone.now()))
    page.goto(f"{arena}/leagues/{league.slug}/")
    expect(page.locator("section#round-2 article")).to_have_count(24)
    aside(lambda: end_matches(league))
    aside(lambda: services.record_waiting(league.pk))
    aside(lambda: services.tend(league.pk, timezone.now()))
    expect(page.locator("section#round-3 article")).to_have_count(24)
    expect(page.locator("section#round-2")).to_have_count(0)
    page.get_by_text("Round 2", exact=True).click()
    expect(page.locator("details#round-2 article")).to_have_count(24)
