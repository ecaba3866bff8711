"""The screen of a league in a browser: it fills the window and advances by itself."""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import Page, ViewportSize, expect

from replays.models import Match
from tests.support.browser.database_thread import call_in_thread
from tests.support.browser.page_checks import find_page_faults
from tests.support.leagues import create_entrants, start_league
from tournaments.models import LeagueMatch

SHOTS = os.environ.get("FTK_ROOM_SHOTS", "")
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
PART_MS = 10_000
"""Milliseconds for which each part of the screen is shown."""


def start_large_round() -> None:
    """Start a league with more entries than a screen shows, one of whose matches is being played."""
    start_league(create_entrants(40))
    live = LeagueMatch.objects.select_related("match").earliest("number")
    Match.objects.filter(pk=live.match_id).update(status="playing", opened_at=live.match.created_at)
    connections.close_all()


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_the_projector_screen_of_a_league_fills_the_window_and_advances_automatically(
    live_server: Any, page: Page
) -> None:
    call_in_thread(start_large_round)
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{live_server.url}/leagues/night/screen/")
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/screen-1920.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollHeight") <= PROJECTOR["height"]
    clock = page.locator("[data-since]")
    begun = clock.inner_text()
    expect(clock).not_to_have_text(begun)
    expect(page.locator(".clock")).to_have_text(page.evaluate("new Date().toTimeString().slice(0, 5)"))
    first = page.locator(".figures tbody th").first
    name = first.inner_text()
    expect(first).not_to_have_text(name, timeout=PART_MS + 10_000)
    page.get_by_role("link", name="Stay at this part").click()
    page.wait_for_url("**still=yes")
    assert not find_page_faults(page, "screen", SHOTS)
