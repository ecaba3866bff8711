"""The theatre's stage in a real browser: it begins by itself, and goes on when the last picture has been seen."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tournaments.models import League

PAUSE_MS = 7_000
COUNT_INTERVALS = """
    window.intervals = 0;
    const set = window.setInterval;
    window.setInterval = (...given) => { window.intervals += 1; return set(...given); };
"""


def open_theatre(page: Page, arena: str) -> None:
    """Open it with a clock that can be turned on, and wait until it has begun."""
    page.clock.install()
    page.goto(f"{arena}/watch/")
    expect(page.locator("[data-icon=pause]")).to_be_visible()


def test_the_theatre_begins_by_itself_and_goes_on_after_the_last_picture(arena: str, night: League, page: Page) -> None:
    open_theatre(page, arena)
    first = page.locator("ftk-replay").get_attribute("match")
    page.keyboard.press("End")
    expect(page.locator("[data-icon=next]")).to_be_disabled()
    page.clock.fast_forward(PAUSE_MS - 2_000)
    expect(page.locator("ftk-replay")).to_have_attribute("match", first or "")
    page.clock.fast_forward(2_500)
    page.wait_for_url(re.compile(r"/watch/\?match="))
    expect(page.locator("ftk-replay")).not_to_have_attribute("match", first or "")


def test_whoever_steps_back_or_unchecks_the_box_stays(arena: str, night: League, page: Page) -> None:
    open_theatre(page, arena)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-icon=next]")).to_be_enabled()
    page.clock.fast_forward(PAUSE_MS * 2)
    page.keyboard.press("End")
    expect(page.locator("[data-icon=next]")).to_be_disabled()
    page.get_by_label("Go on to the next match by itself").uncheck()
    page.clock.fast_forward(PAUSE_MS * 2)
    assert page.url.endswith("/watch/")
    page.get_by_label("Go on to the next match by itself").check()
    page.clock.fast_forward(PAUSE_MS + 500)
    page.wait_for_url(re.compile(r"/watch/\?match="))


def test_the_theatre_is_told_and_does_not_look_again_and_again(arena: str, night: League, page: Page) -> None:
    page.add_init_script(COUNT_INTERVALS)
    page.goto(f"{arena}/watch/")
    expect(page.locator("[data-icon=pause]")).to_be_visible()
    assert page.evaluate("window.intervals") == 0


def test_between_two_matches_the_standings_are_shown(arena: str, night: League, page: Page) -> None:
    open_theatre(page, arena)
    standings = page.get_by_role("heading", name="Night: the standings")
    expect(standings).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("[data-icon=next]")).to_be_disabled()
    page.clock.fast_forward(3_500)
    expect(standings).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(standings).to_be_hidden()
