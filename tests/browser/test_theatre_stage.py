"""The theatre in a browser: it starts by itself, jumps between turning points, and continues with other matches."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from replays.reviews.stored_reviews import read_review
from tests.support.browser.axe import find_axe_violations
from tests.support.browser.database_thread import call_in_thread
from tests.support.live import LiveMatch
from tests.support.reviewable import create_closed_match, create_reviewed_match
from tournaments.models import League

pytestmark = pytest.mark.slow

PAUSE_MS = 7_000
COUNT_INTERVALS = """
    window.intervals = 0;
    const set = window.setInterval;
    window.setInterval = (...given) => { window.intervals += 1; return set(...given); };
"""

STEP_MS = 900
LONGEST = 200
"""More steps than any match of Pig in these tests."""
NOTE = """
    window.seen = [];
    document.addEventListener('ftk-shown', ({ detail }) => window.seen.push(detail.at));
    window.captions = [];
    document.addEventListener('DOMContentLoaded', () => {
        const caption = document.querySelector('#told');
        const note = () => window.captions.push(caption.textContent);
        new MutationObserver(note).observe(caption, { childList: true, characterData: true, subtree: true });
    });
"""
"""Script that records every shown frame and caption, because some appear only between two steps of the test."""


def open_theatre(page: Page, arena: str) -> None:
    """Open the theatre with a clock that the test controls, and wait until playback has started."""
    page.clock.install()
    page.goto(f"{arena}/watch/")
    expect(page.locator("[data-icon=pause]")).to_be_visible()


def test_the_watch_page_starts_playback_automatically_and_continues_with_the_next_match(
    arena: str, night: League, page: Page
) -> None:
    open_theatre(page, arena)
    first = page.locator("ftk-replay").get_attribute("match")
    page.keyboard.press("End")
    expect(page.locator("[data-icon=next]")).to_be_disabled()
    page.clock.fast_forward(PAUSE_MS - 2_000)
    expect(page.locator("ftk-replay")).to_have_attribute("match", first or "")
    page.clock.fast_forward(2_500)
    page.wait_for_url(re.compile(r"/watch/\?match="))
    expect(page.locator("ftk-replay")).not_to_have_attribute("match", first or "")


def test_stepping_back_or_unchecking_autoplay_stops_the_watch_page_from_going_to_the_next_match(
    arena: str, night: League, page: Page
) -> None:
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


def test_the_watch_page_sets_no_polling_interval(arena: str, night: League, page: Page) -> None:
    page.add_init_script(COUNT_INTERVALS)
    page.goto(f"{arena}/watch/")
    expect(page.locator("[data-icon=pause]")).to_be_visible()
    assert page.evaluate("window.intervals") == 0


def test_the_watch_page_shows_the_standings_of_the_league_between_matches(
    arena: str, night: League, page: Page
) -> None:
    open_theatre(page, arena)
    standings = page.get_by_role("heading", name="Night: the standings")
    expect(standings).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("[data-icon=next]")).to_be_disabled()
    page.clock.fast_forward(3_500)
    expect(standings).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(standings).to_be_hidden()


def reviewed() -> tuple[str, set[int]]:
    """Create a finished match with a review; return it with the frames of its turning points."""
    match = create_closed_match()
    create_reviewed_match(match)
    review = read_review(match.pk, "all", None).review
    assert review is not None
    return match.pk, {point.frame for point in review.turning_points[:1]}


@pytest.mark.nightly
@pytest.mark.parametrize("only", [True, False])
def test_the_watch_page_shows_the_turning_points_of_a_reviewed_match_with_their_captions(
    arena: str, page: Page, only: bool
) -> None:
    match, largest = call_in_thread(reviewed)
    page.clock.install()
    page.add_init_script(NOTE)
    page.goto(f"{arena}/watch/?match={match}")
    expect(page.locator("[data-icon=pause]")).to_be_visible()
    if not only:
        page.keyboard.press("Home")
        page.get_by_label("Only the turning points").uncheck()
        page.locator("[data-icon=play]").click()
    for _ in range(LONGEST):
        page.clock.run_for(STEP_MS)
        if page.locator("[data-icon=next]").is_disabled():
            break
    stretches = page.evaluate("JSON.parse(document.querySelector('#told').dataset.stretches)")
    seen: list[int] = page.evaluate("window.seen")
    inside = {at for row in stretches for at in range(row["from"], row["until"] + 1)}
    assert largest <= set(seen)
    assert {row["said"] for row in stretches} - {""} <= set(page.evaluate("window.captions"))
    assert max(seen) >= stretches[-1]["at"]
    assert (set(seen[1:]) <= inside) is only
    assert find_axe_violations(page) == []


def test_the_watch_page_switches_to_a_match_with_a_comeback_only_while_the_viewer_follows_live_play(
    arena: str, page: Page
) -> None:
    def two() -> tuple[LiveMatch, LiveMatch]:
        dull, other = LiveMatch(), LiveMatch()
        dull.grow(100)
        other.grow(112)
        return dull, other

    dull, other = call_in_thread(two)
    page.clock.install()
    page.goto(f"{arena}/watch/?match={dull.match.pk}")
    expect(page.locator(".live")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".live")).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(40_000)
    assert page.url.endswith(dull.match.pk)
    page.locator(".live").click()
    page.clock.run_for(1_000)
    page.wait_for_url(f"**/watch/?match={other.match.pk}")
    expect(page.locator("#told")).to_contain_text("came from behind and leads")


def test_a_link_copied_in_the_theatre_or_an_embedded_match_opens_the_page_of_that_match(
    arena: str, night: League, match_id: str, page: Page
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=arena)
    for path in ("/watch/", f"/embed/{match_id}/"):
        page.goto(f"{arena}{path}")
        page.locator("[data-icon=link]").click()
        expect(page.get_by_text("Link copied")).to_be_visible()
        shown = page.locator("ftk-replay").get_attribute("match")
        assert page.evaluate("navigator.clipboard.readText()").startswith(f"{arena}/matches/{shown}/")


def test_every_link_of_an_embedded_match_opens_outside_the_frame_because_other_pages_refuse_to_be_framed(
    arena: str, match_id: str, page: Page
) -> None:
    page.goto(f"{arena}/embed/{match_id}/")
    page.locator("ftk-replay .review").wait_for()
    links = page.evaluate("[...document.links].map(link => link.target || document.querySelector('base').target)")
    assert len(links) > 1
    assert set(links) == {"_blank"}
