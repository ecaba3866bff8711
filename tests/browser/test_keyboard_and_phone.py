"""All pages with the keyboard only, without JavaScript, and 390 pixels wide."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.axe import PATHS

pytestmark = pytest.mark.slow

LEAST_TARGET, THUMB = 24, 44
"""Minimum size of touch targets (WCAG 2.2, 2.5.8) and of the viewer's buttons, in pixels."""
WRONG = {"/nothing-here/": 404, "/search/?bot=nobody&least=9&most=3": 400}
"""Status of an unknown URL and of a contradictory search."""
SIZES = """within => [...document.querySelectorAll(within)].filter(e => e.checkVisibility())
    .map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect().width, e.getBoundingClientRect().height])"""
WIDE = """() => [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > 390.5)
    .map(e => e.outerHTML.slice(0, 90)).slice(0, 5)"""
CONTROLS = "button, select, summary, a.button, nav a, input:not([type=hidden], [type=checkbox], [type=radio])"
FOCUS = """() => {
    const on = document.activeElement, style = getComputedStyle(on);
    if (on === document.body) return null;
    const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
    const name = on.getAttribute('aria-label') || on.labels?.[0]?.innerText || on.innerText || on.className;
    return [on.tagName + ' ' + name.trim().split('\\n')[0], ring || style.boxShadow !== 'none'];
}"""


@pytest.fixture
def narrow(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def plain(chromium: Browser) -> Iterator[Page]:
    """A browser window without JavaScript."""
    context = chromium.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.nightly
def test_pages_fit_a_phone_screen_and_touch_targets_are_large_enough(arena: str, match_id: str, narrow: Page) -> None:
    small: list[str] = []
    for path in (*PATHS, f"/matches/{match_id}/?at=12", f"/embed/{match_id}/"):
        narrow.goto(arena + path)
        if path.startswith(("/watch/", "/matches/", "/embed/")):
            narrow.locator(".step b").wait_for()
            sizes = narrow.evaluate(SIZES, ".deck button, .deck select")
            small += [f"{path} {row}" for row in sizes if min(row[1:]) < THUMB]
        wide = narrow.evaluate(WIDE)
        assert narrow.evaluate("document.documentElement.scrollWidth") <= 390, (path, wide)
        small += [f"{path} {row}" for row in narrow.evaluate(SIZES, CONTROLS) if min(row[1:]) < LEAST_TARGET]
    assert small == []


@pytest.mark.nightly
def test_every_page_is_readable_without_javascript(arena: str, match_id: str, plain: Page) -> None:
    for path in (*PATHS, f"/matches/{match_id}/"):
        answer = plain.goto(arena + path)
        assert answer
        assert answer.status == WRONG.get(path, 200)
        expect(plain.get_by_role("heading", level=1).first).to_be_attached()
        assert len(plain.locator("main").inner_text()) > 30, path


def test_a_match_is_described_as_text_without_javascript(arena: str, match_id: str, plain: Page) -> None:
    plain.goto(f"{arena}/matches/{match_id}/")
    expect(plain.locator(".telling li").first).to_be_visible()
    expect(plain.locator(".telling li").last).to_contain_text("1. ")
    plain.goto(f"{arena}/watch/")
    plain.get_by_role("link", name="This match in words").click()
    expect(plain.locator(".telling")).to_be_visible()
    plain.goto(f"{arena}/embed/{match_id}/")
    words = plain.get_by_role("link", name="This match in words")
    assert words.get_attribute("href") == f"/matches/{match_id}/"


def test_every_documented_keyboard_shortcut_for_navigation_works(arena: str, match_id: str, page: Page) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=0")
    step = page.locator(".head .step b")
    expect(step).to_have_text("0")

    def at() -> int:
        return int(step.inner_text())

    def moves(key: str, holds: Callable[[int, int], bool]) -> None:
        before = at()
        page.keyboard.press(key)
        expect(step).not_to_have_text(str(before))
        assert holds(before, at()), key

    further, back = (lambda old, new: new > old), (lambda old, new: new < old)
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "]"):
        moves(key, further)
    for key in ("ArrowLeft", "Shift+ArrowLeft", "["):
        moves(key, back)
    page.locator("[role=presentation].board").focus()
    moves("ArrowDown", further)
    moves("ArrowUp", back)
    moves("End", further)
    moves("Home", lambda _, new: new == 0)


def test_every_documented_keyboard_shortcut_apart_from_navigation_works(arena: str, match_id: str, page: Page) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=0")
    eyes = page.get_by_label("Seen by")
    expect(page.locator(".head .step b")).to_have_text("0")
    for key, button in (("Space", "Pause"), ("k", "Play"), ("k", "Pause"), ("Space", "Play")):
        page.keyboard.press(key)
        expect(page.get_by_role("button", name=f"{button} (Space)")).to_be_visible()
    page.keyboard.press("+")
    expect(page.get_by_label("Speed")).to_have_value("2")
    page.keyboard.press("-")
    expect(page.get_by_label("Speed")).to_have_value("1")
    for key, value in (("f", "0"), ("f", "1"), ("f", "public"), ("o", "all"), ("o", "public")):
        page.keyboard.press(key)
        expect(eyes).to_have_value(value)
    page.keyboard.press("i")
    expect(page.get_by_role("region", name="This moment")).to_be_visible()
    page.keyboard.press("i")
    expect(page.get_by_role("region", name="This moment")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_replay_viewer_works_without_a_mouse_and_shows_the_focus(arena: str, match_id: str, page: Page) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=12")
    page.locator(".badge").wait_for(state="attached")
    page.locator("[data-piece][tabindex='0']").wait_for()
    unseen, stops = [], []
    for _ in range(400):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop is None:
            break
        stops.append(stop[0])
        unseen += [] if stop[1] else [stop[0]]
    assert unseen == []
    wanted = ("Seen by", "Copy the link", "Keys", "Where in the match", "Play", "One step on", "Speed", "Inspect")
    assert [name for name in wanted if not any(name in stop for stop in stops)] == []


def test_an_invalid_log_entry_number_in_the_url_of_a_match_still_shows_the_match(
    arena: str, match_id: str, page: Page
) -> None:
    for spot in ("at=-1", "at=x&eyes=9", "at=99999999999", "at=3&at=5&eyes=all&eyes=0"):
        page.goto(f"{arena}/matches/{match_id}/?{spot}")
        expect(page.locator(".head .step b")).to_be_visible()
        expect(page.locator(".notice")).to_have_text(re.compile(r"^\s*$"))


def test_choosing_a_season_of_a_leaderboard_without_javascript_keeps_the_author_filter(
    arena: str, match_id: str, plain: Page
) -> None:
    plain.goto(f"{arena}/leaderboards/pig/")
    author = plain.get_by_label("Author").locator("option").nth(1).inner_text()
    plain.get_by_label("Author").select_option(author)
    plain.get_by_role("button", name="Show").click()
    plain.get_by_label("Season").select_option("2026")
    plain.get_by_role("button", name="Show").click()
    expect(plain.locator(".lead")).to_have_text("Season 2026")
    expect(plain.get_by_label("Author")).to_have_value(author)
    expect(plain.locator(".ladder tbody tr")).to_have_count(1)
