"""Reviews in the browser: requested, followed while they are computed, read, and shared as a clip."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from replays.models import Match
from replays.models.reviews import MatchReview
from replays.reviews.review_computation import compute_review
from replays.reviews.review_scheduling import claim_review
from tests.support.browser.axe import find_axe_violations
from tests.support.browser.database_thread import call_in_thread
from tests.support.factories import AuthorFactory
from tests.support.reviewable import create_closed_match, create_reviewed_match

pytestmark = pytest.mark.slow

STAYS = r"Player \d+|bot-?\d+|quick|Pig|WebP"
"""Texts that are the same in every language: names of bots, games, policies and formats."""
WAYS = {
    "en": (
        (1280, 900),
        "light",
        ("waits for its turn", "A worker begins", "6 of 24 steps", "chosen", "Watch on from here"),
    ),
    "zh-Hant": ((390, 844), "dark", ("正在排隊", "即將開始", "24 步中的第 6 步", "所選", "從這裡繼續觀看")),
}
"""Window size, colour scheme and expected progress texts by language."""


def session() -> str:
    client = Client()
    client.force_login(AuthorFactory.create(username="ada"))
    return client.cookies["sessionid"].value


def make_reviewed_match() -> Match:
    """Return a finished match with a review."""
    match = create_closed_match()
    create_reviewed_match(match, "own")
    return match


def begin_review(match: Match) -> int:
    """Start the computation of a review in a worker that dies."""
    row = MatchReview.objects.get(match=match)
    MatchReview.objects.filter(pk=row.pk).update(playouts=4)
    assert claim_review(row.pk, "dead") is not None
    return row.pk


def finish_review(number: int) -> None:
    """Finish the computation of a review in another worker."""
    MatchReview.objects.filter(pk=number).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert compute_review(number)


def keeps(page: Page) -> None:
    """Check the accessibility of the page with axe, its width, and its language."""
    assert find_axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing stands out to the side"
    if page.evaluate("document.documentElement.lang") == "zh-Hant":
        for part in page.locator(".review, .clip, .telling, main h1, main h2").all():
            said = re.sub(STAYS, "", f"{part.inner_text()} {part.get_attribute('aria-label') or ''}")
            assert re.findall(r"\b[A-Za-z]{2,}\b", said) == []


def asks_and_follows(page: Page, match: Match, ways: Sequence[str]) -> None:
    """Request the review of the shown match, and follow its progress until it is complete."""
    review, (waits, begins, runs) = page.locator("section.review"), ways
    review.get_by_role("button").click()
    expect(review.get_by_role("status")).to_contain_text(waits)
    keeps(page)
    number = call_in_thread(lambda: begin_review(match))
    expect(review.get_by_role("status")).to_contain_text(begins)
    call_in_thread(lambda: MatchReview.objects.filter(pk=number).update(total=24, done=6))
    expect(review.get_by_role("status")).to_contain_text(runs)
    expect(review.get_by_role("progressbar")).to_be_visible()
    keeps(page)
    call_in_thread(lambda: finish_review(number))


def sees_the_clip(stranger: Page, frame: int, frames: range) -> None:
    """Check that the page of a clip has an animation and a description as text."""
    picture = stranger.locator(".clip img")
    expect(picture).to_be_visible()
    stranger.wait_for_function("document.querySelector('.clip img').complete")
    assert picture.evaluate("image => image.naturalWidth") == 800
    moving = stranger.request.get(picture.evaluate("image => image.src"))
    assert Image.open(BytesIO(moving.body())).n_frames == len(frames)  # type: ignore[attr-defined]  # of WebP
    expect(stranger.locator(".telling li")).to_have_count(len(frames))
    expect(stranger.locator(f".telling li[value='{frame}']")).not_to_be_empty()
    keeps(stranger)


@pytest.mark.nightly
@pytest.mark.parametrize("language", WAYS)
def test_a_match_review_can_be_requested_and_read_in_the_browser_and_shared_as_a_clip(
    arena: str, chromium: Browser, language: str
) -> None:
    (width, height), scheme, (*ways, chosen, onwards) = WAYS[language]
    match = call_in_thread(create_closed_match)
    window: Any = {"viewport": {"width": width, "height": height}, "color_scheme": scheme, "locale": language}
    signed_in, nobody = chromium.new_context(**window), chromium.new_context(**window)
    signed_in.add_cookies([{"name": "sessionid", "value": call_in_thread(session), "url": arena}])
    page, stranger = signed_in.new_page(), nobody.new_page()
    page.goto(f"{arena}/matches/{match.pk}/?eyes=all")
    review = page.locator("section.review")
    asks_and_follows(page, match, ways)
    point = review.get_by_role("listitem").get_by_role("button").first
    point.wait_for()
    keeps(page)
    frame = re.findall(r"\d+", point.inner_text())[0]
    point.click()
    page.wait_for_url(re.compile(rf"at={frame}\b"))
    review.locator(".jumps button").first.click()
    expect(review.locator(".alternatives tbody tr")).to_have_count(2)
    expect(review.locator(".alternatives tbody tr").first).to_contain_text(re.compile(r"[01]\.\d\d"))
    expect(review.locator(".alternatives tr.chosen")).to_contain_text(chosen)
    keeps(page)
    address = review.get_by_role("listitem").get_by_role("link").first.get_attribute("href") or ""
    begin, end = map(int, re.findall(r"from=(\d+)&until=(\d+)", address)[0])
    assert begin <= int(frame) <= end < begin + 20
    stranger.goto(arena + address)
    sees_the_clip(stranger, int(frame), range(begin, end + 1))
    stranger.get_by_role("link", name=onwards).click()
    expect(stranger.locator(".head .step b")).to_have_text(str(begin))
    signed_in.close()
    nobody.close()


def test_changing_the_viewpoint_after_requesting_a_review_requests_no_second_review(
    arena: str, chromium: Browser
) -> None:
    match = call_in_thread(create_closed_match)
    context = chromium.new_context(locale="en")
    context.add_cookies([{"name": "sessionid", "value": call_in_thread(session), "url": arena}])
    page = context.new_page()
    page.goto(f"{arena}/matches/{match.pk}/?eyes=public")
    review = page.locator("section.review")
    review.get_by_role("button", name="Review this match").click()
    expect(review.get_by_role("status")).to_contain_text("waits")
    page.keyboard.press("o")
    expect(review.get_by_role("button", name="Review this match")).to_be_visible()
    assert call_in_thread(lambda: list(MatchReview.objects.values_list("eyes", flat=True))) == ["public"]
    context.close()


def test_the_chart_of_a_match_review_is_usable_by_keyboard_and_readable_as_a_data_table(arena: str, page: Page) -> None:
    match = call_in_thread(make_reviewed_match)
    page.goto(f"{arena}/matches/{match.pk}/?eyes=all&at=9")
    review = page.get_by_role("region", name="Review", exact=True)
    curve = review.get_by_role("slider")
    curve.focus()
    before = page.url
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(lambda url: url != before)
    expect(curve).to_have_attribute("aria-valuetext", re.compile(r"Step \d+: .* 0\.\d\d"))
    review.get_by_text("As a table").click()
    expect(review.get_by_role("cell", name=re.compile(r"[+−]0\.\d\d|0")).first).to_be_visible()
    assert find_axe_violations(page) == []


@pytest.mark.parametrize("path", ["?eyes=all", "review/"])
def test_a_match_review_has_no_axe_violations_on_a_phone_in_dark_mode(arena: str, chromium: Browser, path: str) -> None:
    match = call_in_thread(make_reviewed_match)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark", reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{arena}/matches/{match.pk}/{path}")
    page.get_by_role("heading", name="Turning points").wait_for()
    assert find_axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing stands out to the side"
    context.close()


def test_a_match_page_asks_visitors_to_sign_in_for_a_review_and_hides_reviews_in_spoiler_free_mode(
    arena: str, page: Page
) -> None:
    match = call_in_thread(create_closed_match)
    page.goto(f"{arena}/matches/{match.pk}/?eyes=all")
    review = page.get_by_role("region", name="Review", exact=True)
    expect(review.get_by_role("link", name="Sign in")).to_be_visible()
    page.goto(f"{arena}/matches/{match.pk}/?eyes=fresh&at=0")
    page.locator("[data-table] [data-piece]").first.wait_for()
    expect(review).to_have_count(0)
