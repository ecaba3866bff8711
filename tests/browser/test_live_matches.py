"""Live matches in a real browser, with real tasks, bots, database and servers."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Event
from typing import Any

import pytest
from django.db import connections, transaction
from playwright.sync_api import Locator, Page, expect

from replays.event_stream_storage import EventAppender
from replays.models import EventStream
from replays.playing.match_runner import play_match
from tests.support.arena import free_port
from tests.support.browser.live import slow_bot, start_server
from tests.support.channel_layers import send_notifications_in_test_database
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.live import LiveMatch
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

Hands = Callable[[Callable[[], Any]], Any]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool
        pool.submit(connections.close_all).result()


@pytest.fixture
def run_in_thread(transactional_db: None, pool: ThreadPoolExecutor) -> Hands:
    """Function that runs another function in a thread without playwright's event loop."""
    return lambda work: pool.submit(work).result()


@dataclass(frozen=True, slots=True)
class PausedMatch:
    """A match in a worker's task, which the test can pause before each page of the log."""

    id: str
    let_go: Callable[[], None]


@pytest.fixture
def played(run_in_thread: Hands, pool: ThreadPoolExecutor) -> Iterator[PausedMatch]:
    """A match of slow bots, started by a worker's task and paused before its end."""
    source, held, enough = slow_bot(), Event(), Event()
    match = run_in_thread(lambda: create_waiting_match([create_active_version(source), create_active_version(source)]))

    def hold() -> None:
        with transaction.atomic():
            EventAppender.open_locked(match.stream_id)
            held.set()
            enough.wait()
        connections.close_all()

    with ThreadPoolExecutor(1) as another:
        playing = pool.submit(play_match, match.pk)
        begun = EventStream.objects.filter(pk=match.stream_id, length__gt=4)
        wait_for(lambda: playing.done() or another.submit(begun.exists).result(), "the match begins")
        holding = another.submit(hold)
        assert held.wait(10)
        try:
            assert not playing.done()
            yield PausedMatch(match.pk, enough.set)
        finally:
            enough.set()
            holding.result()
    assert playing.result() is True


def step_of(page: Page) -> Locator:
    return page.locator(".head .step b")


def read_story_entries(page: Page) -> list[int]:
    """Return the entries of the match's story on the page."""
    return [int(text) for text in page.locator(".story li .at").all_text_contents()]


@pytest.mark.nightly
def test_the_page_of_a_live_match_follows_it_to_its_end_without_reload(
    arena: str, played: PausedMatch, page: Page
) -> None:
    page.goto(f"{arena}/matches/{played.id}/")
    page.evaluate("window.neverReloaded = true")
    live = page.locator(".live")
    expect(live).to_have_attribute("aria-pressed", "true")
    expect(step_of(page)).not_to_have_text("0")
    page.get_by_role("button", name="First step (Home)").click()
    expect(step_of(page)).to_have_text("0")
    expect(live).to_have_attribute("aria-pressed", "false")
    expect(live).to_contain_text("behind, catch up")
    live.click()
    expect(live).to_have_attribute("aria-pressed", "true")
    expect(step_of(page)).not_to_have_text("0")
    played.let_go()
    expect(live).to_have_count(0)  # the button disappears when the match ends
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    expect(page.locator(".say")).to_contain_text("1. ")
    expect(page.locator(".head .step")).to_have_text(re.compile(r"^\s*(\d+)\s*/\s*\1\s*$"))
    assert page.evaluate("window.neverReloaded") is True


def test_reloading_the_page_of_a_live_match_keeps_the_current_log_entry(
    arena: str, run_in_thread: Hands, page: Page
) -> None:
    match = run_in_thread(LiveMatch)
    run_in_thread(lambda: match.grow(20))
    page.goto(f"{arena}/matches/{match.match.pk}/")
    expect(step_of(page)).not_to_have_text("0")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    there = step_of(page).inner_text()
    page.wait_for_url(re.compile(rf"\?at={there}$"))
    run_in_thread(lambda: match.grow(20))
    page.reload()
    expect(page.locator(".head .step")).to_contain_text(f"{there} / {match.pictured[-1]}")
    expect(page.locator(".live")).to_have_attribute("aria-pressed", "false")
    page.locator(".live").click()
    expect(step_of(page)).to_have_text(str(match.pictured[-1]))


def test_the_page_of_a_live_match_offers_spectators_only_the_public_viewpoint_and_explains_why(
    arena: str, run_in_thread: Hands, page: Page
) -> None:
    match = run_in_thread(LiveMatch)
    run_in_thread(lambda: match.grow(12))
    page.goto(f"{arena}/matches/{match.match.pk}/?eyes=all")
    expect(page.locator(".notice")).to_contain_text("Everything is shown once the match has ended")
    expect(page.get_by_label("Seen by")).to_have_value("public")
    expect(step_of(page)).not_to_have_text("0")
    page.get_by_label("Seen by").select_option("1")
    expect(page.locator(".notice")).to_contain_text("open to the bot’s author only")
    expect(page.get_by_label("Seen by")).to_have_value("public")
    run_in_thread(lambda: match.grow(2))
    expect(page.locator(".head .step")).to_contain_text(f"/ {match.pictured[-1]}")


def test_opening_a_live_match_at_a_future_log_entry_waits_for_that_entry(
    arena: str, run_in_thread: Hands, page: Page
) -> None:
    match = run_in_thread(LiveMatch)
    run_in_thread(lambda: match.grow(6))
    page.goto(f"{arena}/matches/{match.match.pk}/?at=20&eyes=public")
    expect(step_of(page)).to_have_text(str(match.pictured[-1]))
    run_in_thread(lambda: match.grow(60))
    expect(step_of(page)).to_have_text("20")


@pytest.mark.nightly
def test_the_replay_viewer_resumes_without_missing_entries_after_a_server_restart(
    run_in_thread: Hands, page: Page
) -> None:
    with ExitStack() as stack:
        stack.enter_context(send_notifications_in_test_database())
        match, port = run_in_thread(LiveMatch), free_port()
        run_in_thread(lambda: match.grow(10))
        server = start_server(port)
        stack.callback(lambda: (server.kill(), server.wait()))
        page.goto(f"http://127.0.0.1:{port}/matches/{match.match.pk}/")
        expect(page.locator(".story li")).to_have_count(len(match.pictured))
        server.send_signal(signal.SIGKILL)
        server.wait()
        expect(page.locator(".notice")).to_contain_text("Reconnecting")
        run_in_thread(lambda: match.grow(15))
        again = start_server(port)
        stack.callback(lambda: (again.kill(), again.wait()))
        expect(page.locator(".story li")).to_have_count(len(match.pictured))
        run_in_thread(lambda: match.grow(match.left))
        expect(page.locator(".live")).to_have_count(0)
        assert read_story_entries(page) == match.pictured
