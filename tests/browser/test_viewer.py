"""The viewer in a real browser: steps, jumps, viewpoints, reloads, keyboard and phone."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.axe import find_axe_violations

pytestmark = pytest.mark.slow


@pytest.fixture
def faults(page: Page) -> list[str]:
    """Errors that the browser reports: failed scripts and violations of the Content-Security-Policy."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    return found


def test_a_finished_match_can_be_stepped_through_by_keyboard(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    page.goto(f"{arena}/matches/{match_id}/")
    step = page.locator(".step b")
    expect(step).to_have_text("1")
    page.keyboard.press("ArrowLeft")
    expect(step).to_have_text("0")
    page.keyboard.press("ArrowRight")
    expect(step).to_have_text("1")
    expect(page.locator(".say")).to_contain_text("rolls a")
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    result = page.get_by_role("region", name="Result")
    expect(result.locator("li.won")).to_contain_text("Winner")
    expect(result.get_by_role("link", name="Next match of the league")).to_be_visible()
    expect(page.locator(".place dl", has_text="Place")).to_have_count(result.locator("li").count())
    assert find_axe_violations(page) == []
    page.keyboard.press("ArrowLeft")
    expect(result).to_have_count(0)
    page.keyboard.press("End")
    result.get_by_role("button", name="Close the result").click()
    expect(result).to_have_count(0)
    page.keyboard.press("Home")
    expect(step).to_have_text("0")
    assert faults == []


def test_the_replay_viewer_puts_the_current_log_entry_in_its_url_and_returns_to_it_on_reload(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=12&eyes=1")
    step = page.locator(".step b")
    expect(page.get_by_label("Seen by")).to_have_value("1")
    expect(step).to_have_text(re.compile("^1[0-2]$"))  # the last entry so far that has a frame
    before = step.inner_text()
    page.keyboard.press("ArrowRight")
    expect(step).not_to_have_text(before)
    there = step.inner_text()
    page.wait_for_url(re.compile(rf"\?at={there}&eyes=1$"))
    page.reload()
    expect(step).to_have_text(there)
    assert faults == []


def test_changing_the_viewpoint_in_the_replay_viewer_keeps_the_current_log_entry(
    arena: str, match_id: str, page: Page
) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=9")
    step = page.locator(".step b")
    expect(step).not_to_have_text("0")
    there = step.inner_text()
    page.keyboard.press("o")
    page.wait_for_url(re.compile(r"eyes=all"))
    expect(step).to_have_text(there)


def test_playback_in_the_replay_viewer_stops_at_the_end_of_the_match(arena: str, match_id: str, page: Page) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=99999")
    # wait for the total to equal the step, because loaded frames may not include the end yet
    expect(page.locator(".head .step")).to_have_text(re.compile(r"^\s*(\d+)\s*/\s*\1\s*$"))
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play (Space)").click()
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    expect(page.get_by_role("button", name="Play (Space)")).to_be_visible()


def test_the_home_page_and_the_pages_of_leagues_and_matches_fit_a_phone_screen(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("/", "/leagues/night/", f"/matches/{match_id}/"):
        page.goto(arena + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.get_by_role("button", name="Play (Space)")).to_be_in_viewport()
    assert faults == []


def test_the_hash_chain_of_a_log_is_verified_in_the_browser(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    page.goto(f"{arena}/matches/{match_id}/")
    page.locator(".badge").evaluate("badge => badge.scrollIntoView()")
    expect(page.locator(".badge")).to_have_text(re.compile(r"verified, \d+ pages?"))
    assert faults == []


def test_the_browser_reports_a_manipulated_log_as_invalid(arena: str, match_id: str, page: Page) -> None:
    log = httpx.get(f"{arena}/api/v1/matches/{match_id}/log/").text
    page.route("**/log/", lambda route: route.fulfill(body=log.replace('"seq":1,', '"seq":2,', 1)))
    page.goto(f"{arena}/matches/{match_id}/")
    page.locator(".badge").evaluate("badge => badge.scrollIntoView()")
    expect(page.locator(".badge")).to_contain_text("does not verify: page 0")


def test_the_inspector_shows_the_log_entry_of_the_current_frame_as_json(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=1")
    page.get_by_role("button", name="Inspect").click()
    panel = page.get_by_role("region", name="This moment")
    expect(panel).to_contain_text("Frame 1")
    expect(panel).to_contain_text("Page 0")
    expect(panel.get_by_label("The entry as JSON")).to_contain_text('"say"')
    page.keyboard.press("o")
    expect(panel.get_by_label("The entry as JSON")).to_contain_text('"fact"')
    page.keyboard.press("i")
    expect(panel).to_have_count(0)
    assert faults == []


def test_the_inspector_requests_a_log_that_cannot_be_read_only_once(arena: str, match_id: str, page: Page) -> None:
    asked: list[str] = []
    page.route("**/log/", lambda route: (asked.append(route.request.url), route.fulfill(status=503)))
    page.goto(f"{arena}/matches/{match_id}/?at=1")
    page.keyboard.press("i")
    expect(page.get_by_role("region", name="This moment")).to_contain_text("Frame 1")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("region", name="This moment")).to_contain_text("Frame 2")
    page.wait_for_load_state("networkidle")
    assert len(asked) <= 2


def test_the_inspector_panel_shows_a_choice_only_in_the_view_of_the_player_who_made_it(
    arena: str, match_id: str, page: Page
) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=20")
    page.get_by_role("button", name="Inspect").click()
    choice = page.get_by_role("region", name="The choice before it")
    expect(page.get_by_role("region", name="This moment")).to_contain_text("Frame 20")
    expect(choice).to_have_count(0)
    page.get_by_label("Seen by").select_option("0")  # the player who acts first
    expect(choice).to_contain_text(", to b")
    expect(choice.locator("[aria-current=true]")).to_have_count(1)


def test_spoiler_free_mode_of_the_replay_viewer_hides_the_result_until_the_end_of_the_match(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=1&eyes=fresh")
    result, story = page.locator(".aftermath"), page.get_by_role("region", name="What happened").locator("li")
    expect(page.locator(".head .step")).to_have_text("1")
    expect(story).to_have_count(2)
    expect(result).to_be_hidden()
    expect(page.locator(".badge")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".head .step")).to_have_text("1")
    for _ in range(60):  # one phase at a time, to the end
        page.get_by_label("Where in the match").press("Shift+ArrowRight")
    expect(result).to_be_visible()
    page.locator(".badge").evaluate("badge => badge.scrollIntoView()")
    expect(page.locator(".badge")).to_be_visible()
    assert faults == []


def test_the_replay_viewer_can_download_the_current_picture_and_the_text_of_a_match(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=1")
    menu = page.locator(".downloads")
    menu.locator("summary").click()
    with page.expect_download() as picture:
        menu.get_by_role("button", name="This moment").click()
    assert picture.value.suggested_filename == f"{match_id}-1.png"
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    menu.locator("summary").click()
    with page.expect_download() as story:
        menu.get_by_role("button", name="The story").click()
    assert "rolls a" in story.value.path().read_text()
    menu.locator("summary").click()
    with page.expect_download() as log:
        menu.get_by_role("link", name="The log").click()
    assert log.value.path().read_bytes().startswith(b'{"kind":"opened"')
    assert faults == []


def test_the_embedded_viewer_shows_the_match_on_another_site(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    other = arena.replace("127.0.0.1", "localhost")  # another host name makes the same machine another site
    frame = f'<iframe src="{arena}/embed/{match_id}/?at=1" width="390" height="600"></iframe>'
    # a page fulfilled by the test counts as public, so the browser asks before it frames a local address
    page.context.grant_permissions(["local-network-access"])
    page.route(f"{other}/elsewhere/", lambda route: route.fulfill(content_type="text/html", body=frame))
    page.goto(f"{other}/elsewhere/")
    inside = page.frame_locator("iframe")
    expect(inside.locator(".head .step b")).to_have_text("1")
    inside.get_by_role("button", name="One step on").click()
    expect(inside.locator(".head .step b")).not_to_have_text("1")
    assert faults == []


def test_the_replay_viewer_can_share_a_link_a_picture_and_a_clip_of_the_current_frame(
    arena: str, match_id: str, page: Page, faults: list[str]
) -> None:
    page.goto(f"{arena}/matches/{match_id}/?at=3")
    expect(page.locator(".head .step b")).to_have_text("3")
    page.get_by_text("Share this moment").press("Enter")  # press by keyboard, because the table above may still grow
    for name, ending in (
        ("A link", "?at=3"),
        ("A picture", "/picture.png?at=3"),
        ("A clip", "/clip.webp?from=0&until=3"),
    ):
        expect(page.get_by_role("link", name=name)).to_have_attribute("href", re.compile(re.escape(ending) + "$"))
    page.keyboard.press("ArrowRight")
    clip = page.get_by_role("link", name="A clip")
    expect(clip).to_have_attribute("href", re.compile(r"from=0&until=4$"))
    answer = page.request.get(clip.get_attribute("href") or "")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/webp")
    assert faults == []
