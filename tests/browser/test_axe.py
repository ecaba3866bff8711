"""Accessibility of all pages: axe finds no violation of WCAG 2.2 AA, in both themes and window sizes."""

from __future__ import annotations

import os
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from bots.access.api_tokens import create_token
from bots.models import Bot
from tests.support.browser.axe import FOUND, HANDBOOK, find_axe_violations
from tests.support.browser.database_thread import call_in_thread
from tests.support.browser.page_checks import click_through
from tests.support.browser.screenshots import list_screenshots
from tournaments.models import League

pytestmark = pytest.mark.slow

WIDE, PHONE = (1280, 900), (390, 844)
SHORT = [("light", PHONE, slice(0, None, 2)), ("dark", WIDE, slice(1, None, 2))]
ALL = [(scheme, size, slice(None)) for scheme, size in product(("light", "dark"), (WIDE, PHONE))]
SEEN = ALL if "FTK_TEST_AXE" in os.environ else SHORT
"""Colour scheme, screen size and subset of the pages; `make shots` checks all pages in all four combinations."""


def a_token() -> str:
    """Create a token for the owner of the bot b0."""
    return call_in_thread(lambda: create_token(Bot.objects.get(slug="b0").owner))


@pytest.mark.parametrize(("scheme", "size", "part"), SEEN)
def test_no_page_has_axe_violations(
    arena: str, match_id: str, chromium: Browser, scheme: Any, size: tuple[int, int], part: slice
) -> None:
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page, found = context.new_page(), []
    page.route("**/broken/", lambda route: route.fulfill(path="frontend/templates/500.html"))
    pages = list(list_screenshots(FOUND | {"match": f"/matches/{match_id}/", "embed": f"/embed/{match_id}/"}))
    for _, path in pages[part]:
        if path.startswith(HANDBOOK):
            continue
        page.goto(arena + path)
        if path.startswith(("/watch/", "/matches/", "/embed/")) and not path.endswith(("/review/", "/clip/")):
            page.locator("[data-table] [data-piece]").first.wait_for()
            page.locator("[data-piece][tabindex='0']").focus()
            page.get_by_role("tooltip").wait_for()
        found += [f"{path} {breach}" for breach in find_axe_violations(page)]
    context.close()
    assert found == []


def test_account_pages_have_no_axe_violations(arena: str, night: League, page: Page) -> None:
    page.goto(f"{arena}/account/")
    page.get_by_label("Token").fill(a_token())
    page.get_by_role("button", name="Sign in with the token").click()
    bots = page.get_by_role("region", name="Your bots")
    expect(bots.get_by_role("link", name="b0", exact=True)).to_have_count(1)
    assert find_axe_violations(page) == []
    for section in ("Profile", "Security", "Tokens"):
        click_through(page.get_by_role("link", name=section, exact=True))
        assert find_axe_violations(page) == []
    page.get_by_label("Name", exact=True).fill("laptop")
    page.get_by_role("button", name="New token").click()
    page.get_by_text("it is shown this once only").wait_for()
    assert find_axe_violations(page) == []
