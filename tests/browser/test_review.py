"""A review from the match's page: asked for, followed, a turning point clicked, the alternatives seen."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from replays.models import Match
from replays.review_models import Review
from replays.reviews.turns import claim
from replays.reviews.working import reckon
from tests.support.browser.aside import aside
from tests.support.browser.axe import breaches
from tests.support.factories import AuthorFactory
from tests.support.reviewable import closed_match, reviewed_match


def session() -> str:
    client = Client()
    client.force_login(AuthorFactory.create(username="ada"))
    return client.cookies["sessionid"].value


def begun(match: Match) -> int:
    """Let a worker take the review of a match, and die."""
    row = Review.objects.get(match=match)
    Review.objects.filter(pk=row.pk).update(playouts=4)
    assert claim(row.pk, "dead") is not None
    return row.pk


def done(number: int) -> None:
    """Let another worker do it."""
    Review.objects.filter(pk=number).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert reckon(number)


def test_a_review_is_asked_for_followed_and_read(arena: str, page: Page) -> None:
    match = aside(closed_match)
    page.context.add_cookies([{"name": "sessionid", "value": aside(session), "url": arena}])
    page.goto(f"{arena}/matches/{match.pk}/?eyes=all")
    review = page.get_by_role("region", name="Review", exact=True)
    review.get_by_role("button", name="Review this match").click()
    expect(review.get_by_role("status")).to_contain_text("waits for its turn")
    number = aside(lambda: begun(match))
    expect(review.get_by_role("status")).to_contain_text("is being reckoned", timeout=20_000)
    aside(lambda: done(number))
    review.get_by_role("heading", name="Turning points").wait_for(timeout=20_000)
    point = review.get_by_role("listitem").get_by_role("button").first
    frame = re.findall(r"\d+", point.inner_text())[0]
    point.click()
    page.wait_for_url(re.compile(rf"at={frame}\b"))
    review.get_by_role("button", name="Costliest decision").click()
    expect(review.locator(".alternatives")).to_contain_text("chosen")
    expect(review.locator(".alternatives tbody tr")).to_have_count(2)
    clip = review.get_by_role("link", name=f"Share a clip of step {frame}").last
    begin, end = map(int, re.findall(r"from=(\d+)&until=(\d+)", clip.get_attribute("href") or "")[0])
    assert begin <= int(frame) <= end < begin + 20
    before, curve = page.url, review.get_by_role("slider")
    curve.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(lambda url: url != before)
    expect(curve).to_have_attribute("aria-valuetext", re.compile(r"Step \d+: .* 0\.\d\d"))
    review.get_by_text("As a table").click()
    expect(review.get_by_role("cell", name=re.compile(r"[+−]0\.\d\d|0")).first).to_be_visible()
    assert breaches(page) == []


@pytest.mark.parametrize("path", ["?eyes=all", "review/"])
def test_a_review_keeps_the_guidelines_on_a_phone_by_night(arena: str, chromium: Browser, path: str) -> None:
    def reviewed() -> Match:
        match = closed_match()
        reviewed_match(match)
        return match

    match = aside(reviewed)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark", reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{arena}/matches/{match.pk}/{path}")
    page.get_by_role("heading", name="Turning points").wait_for(timeout=20_000)
    assert breaches(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing stands out to the side"
    context.close()


def test_a_visitor_is_led_to_the_sign_in_and_sees_nothing_of_a_veiled_match(arena: str, page: Page) -> None:
    match = aside(closed_match)
    page.goto(f"{arena}/matches/{match.pk}/?eyes=all")
    review = page.get_by_role("region", name="Review", exact=True)
    expect(review.get_by_role("link", name="Sign in")).to_be_visible()
    page.goto(f"{arena}/matches/{match.pk}/?eyes=fresh&at=0")
    page.locator("[data-table] [data-piece]").first.wait_for()
    expect(review).to_have_count(0)
