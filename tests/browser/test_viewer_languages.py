"""The viewer in Traditional Chinese, chosen by button, by browser or by URL."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.axe import find_axe_violations

pytestmark = pytest.mark.slow

SAID = """() => {
    const viewer = document.querySelector('ftk-replay .viewer');
    const ours = (element) => element.closest('[lang]') === viewer && !element.closest('pre, code');
    const walk = document.createTreeWalker(viewer, NodeFilter.SHOW_TEXT), said = [];
    while (walk.nextNode()) if (ours(walk.currentNode.parentElement)) said.push(walk.currentNode.data.trim());
    const labels = ['aria-label', 'title', 'aria-valuetext'];
    for (const element of viewer.querySelectorAll('*')) {
        if (ours(element)) said.push(...labels.map((name) => element.getAttribute(name) ?? ''));
    }
    return said.filter((text) => text !== '');
}"""
"""Script that collects all texts and labels of the viewer except raw JSON, hashes and text marked as another language.
"""
IN_CHINESE = (
    *("/", "/leagues/", "/leagues/night/", "/leaderboards/pig/", "/bots/b1/", "/games/pig/", "/search/", "/status/"),
    *("/write-a-bot/", "/sign-in/", "/sign-up/", "/leagues/night/print/?lang=zh-Hant", "/nothing-here/"),
)
NAMES = re.compile(r"b\d-\d|Pig|PNG|JSON Lines|JSON|Shift|Home|End")


@pytest.fixture
def reader(chromium: Browser) -> Iterator[Page]:
    """A browser window that prefers Traditional Chinese."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="zh-TW", reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_the_viewer_can_be_switched_to_chinese(arena: str, match_id: str, page: Page) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=1")
    expect(page.locator(".say")).to_contain_text("rolls a")
    page.get_by_role("button", name="中文", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".say")).to_contain_text("擲出")
    expect(page.locator(".head .step b")).to_have_text("1")
    page.wait_for_url(re.compile(r"\?at=1&lang=zh-Hant$"))
    expect(page.locator(".viewer")).to_have_attribute("lang", "zh-Hant")
    page.get_by_role("button", name="下一步（→）").click()
    expect(page.locator(".head .step b")).not_to_have_text("1")
    page.goto(f"{arena}/matches/{match_id}/?at=1")  # the choice is remembered
    expect(page.get_by_label("觀看視角")).to_be_visible()
    page.get_by_role("button", name="EN", exact=True).click()
    expect(page.locator(".say")).to_contain_text("rolls a")
    page.wait_for_url(re.compile(r"\?at=1$"))


def test_page_and_replay_viewer_use_the_same_language(arena: str, match_id: str, page: Page) -> None:
    page.goto(f"{arena}/leagues/")
    page.get_by_role("link", name="中文：以繁體中文閱讀").click()
    expect(page.get_by_role("heading", name="聯賽", level=1)).to_be_visible()
    page.goto(f"{arena}/matches/{match_id}/?at=1")
    expect(page.locator(".say")).to_contain_text("擲出")
    page.get_by_role("button", name="EN", exact=True).click()
    expect(page.locator(".say")).to_contain_text("rolls a")
    page.goto(f"{arena}/leagues/")
    expect(page.get_by_role("heading", name="Leagues", level=1)).to_be_visible()


def test_chinese_pages_have_no_axe_violations_and_fit_a_phone(arena: str, match_id: str, chromium: Browser) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="zh-TW", reduced_motion="reduce")
    page, found = context.new_page(), []
    for path in IN_CHINESE:
        page.goto(arena + path)
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
        found += [f"{path} {breach}" for breach in find_axe_violations(page)]
        if page.evaluate("document.documentElement.scrollWidth") > 390:
            found.append(f"{path} scrolls sideways")
        if "/print/" not in path:
            box = page.get_by_role("link", name="EN: read in English").bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 24
    context.close()
    assert found == []


def test_the_chinese_viewer_and_its_downloads_contain_no_english(arena: str, match_id: str, reader: Page) -> None:
    reader.goto(f"{arena}/matches/{match_id}/?at=40&eyes=0")
    reader.get_by_role("button", name="檢視紀錄").click()
    reader.get_by_text("桌面的文字說明").click()
    reader.locator(".downloads summary").click()
    expect(reader.locator(".badge")).to_contain_text("已驗證")
    expect(reader.get_by_role("region", name="這一幕")).to_contain_text(re.compile(r"第 \d+ 頁"))
    expect(reader.get_by_role("region", name="此前的抉擇")).to_contain_text("由 b")
    said: list[str] = reader.evaluate(SAID)
    assert len(said) > 100
    assert [text for text in said if re.search("[A-Za-z]{2}", NAMES.sub("", text))] == []
    assert "lang=" not in reader.url, "whoever's browser prefers it needs no mark in the address"
    assert find_axe_violations(reader) == []
    with reader.expect_download() as story:
        reader.get_by_role("button", name="對局經過").click()
    assert "擲出" in story.value.path().read_text()


def test_without_javascript_the_text_of_a_match_uses_the_requested_language(match_id: str, client: Client) -> None:
    chinese = Client().get(f"/matches/{match_id}/?lang=zh-Hant").content.decode()
    assert '<section lang="zh-Hant"><h2>對局經過</h2>' in chinese
    assert " 擲出 " in chinese
    for asked in ("", "?lang=en", "?lang=tlh"):
        english = client.get(f"/matches/{match_id}/{asked}").content.decode()
        assert '<section lang="en"><h2>What happened</h2>' in english
        assert " rolls a " in english
