"""A match that is being played, followed in a real browser, with real workers' tasks, bots, database and servers."""

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

from replays.models import Stream
from replays.playing.runner import play_match
from replays.store import StreamLog
from tests.support.arena import free_port
from tests.support.browser.live import pokes_in_the_tests_database, slow_bot, start_server
from tests.support.factories import active_version, waiting_match
from tests.support.live import LiveMatch
from tests.support.waiting import wait_for

Hands = Callable[[Callable[[], Any]], Any]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool
        pool.submit(connections.close_all).result()


@pytest.fixture
def hands(transactional_db: None, pool: ThreadPoolExecutor) -> Hands:
    """Do something in a thread of its own: playwright's event loop runs in this one."""
    return lambda work: pool.submit(work).result()


@dataclass(frozen=True, slots=True)
class Played:
    """A match that a worker's task plays, which waits with its next page until it is let go."""

    id: str
    let_go: Callable[[], None]


@pytest.fixture
def played(hands: Hands, pool: ThreadPoolExecutor) -> Iterator[Played]:
    """A match of bots that take their time, begun by a worker's task, which however quick it is does not end unseen."""
    source, held, enough = slow_bot(), Event(), Event()
    match = hands(lambda: waiting_match([active_version(source), active_version(source)]))

    def hold() -> None:
        with transaction.atomic():
            StreamLog.alone(match.stream_id)
            held.set()
            enough.wait()
        connections.close_all()

    with ThreadPoolExecutor(1) as another:
        playing = pool.submit(play_match, match.pk)
        begun = Stream.objects.filter(pk=match.stream_id, length__gt=4)
        wait_for(lambda: playing.done() or another.submit(begun.exists).result(), "the match begins")
        holding = another.submit(hold)
        assert held.wait(10)
        try:
            assert not playing.done()
            yield Played(match.pk, enough.set)
        finally:
            enough.set()
            holding.result()
    assert playing.result() is True


def step_of(page: Page) -> Locator:
    return page.locator(".head .step b")


def told(page: Page) -> list[int]:
    """Return the entries in the story."""
    return [int(text) for text in page.locator(".story li .at").all_text_contents()]


@pytest.mark.slow
def test_a_match_is_followed_to_its_end_without_a_reload(arena: str, played: Played, page: Page) -> None:
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
    expect(live).to_have_count(0)  # nothing is live any more
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    expect(page.locator(".say")).to_contain_text("1. ")
    expect(page.locator(".head .step")).to_have_text(re.compile(r"^\s*(\d+)\s*/\s*\1\s*$"))
    assert page.evaluate("window.neverReloaded") is True


@pytest.mark.slow
def test_a_reload_in_the_middle_lands_on_the_same_entry_of_a_match_that_goes_on(
    arena: str, hands: Hands, page: Page
) -> None:
    match = hands(LiveMatch)
    hands(lambda: match.grow(20))
    page.goto(f"{arena}/matches/{match.match.pk}/")
    expect(step_of(page)).not_to_have_text("0")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    there = step_of(page).inner_text()
    page.wait_for_url(re.compile(rf"\?at={there}$"))
    hands(lambda: match.grow(20))
    page.reload()
    expect(page.locator(".head .step")).to_contain_text(f"{there} / {match.pictured[-1]}")
    expect(page.locator(".live")).to_have_attribute("aria-pressed", "false")
    page.locator(".live").click()
    expect(step_of(page)).to_have_text(str(match.pictured[-1]))


@pytest.mark.slow
def test_a_match_that_is_played_shows_no_eyes_but_the_publics_and_says_why(
    arena: str, hands: Hands, page: Page
) -> None:
    match = hands(LiveMatch)
    hands(lambda: match.grow(12))
    page.goto(f"{arena}/matches/{match.match.pk}/?eyes=all")
    expect(page.locator(".notice")).to_contain_text("Everything is shown once the match has ended")
    expect(page.get_by_label("Seen by")).to_have_value("public")
    expect(step_of(page)).not_to_have_text("0")
    page.get_by_label("Seen by").select_option("1")
    expect(page.locator(".notice")).to_contain_text("open to the bot’s author only")
    expect(page.get_by_label("Seen by")).to_have_value("public")
    hands(lambda: match.grow(2))
    expect(page.locator(".head .step")).to_contain_text(f"/ {match.pictured[-1]}")


@pytest.mark.slow
def test_an_address_beyond_what_was_played_waits_there_for_the_match(arena: str, hands: Hands, page: Page) -> None:
    match = hands(LiveMatch)
    hands(lambda: match.grow(6))
    page.goto(f"{arena}/matches/{match.match.pk}/?at=20&eyes=public")
    expect(step_of(page)).to_have_text(str(match.pictured[-1]))
    hands(lambda: match.grow(60))
    expect(step_of(page)).to_have_text("20")


@pytest.mark.slow
def test_a_viewer_goes_on_without_gap_or_doubling_when_the_server_was_killed_and_started_again(
    hands: Hands, page: Page
) -> None:
    with ExitStack() as stack:
        stack.enter_context(pokes_in_the_tests_database())
        match, port = hands(LiveMatch), free_port()
        hands(lambda: match.grow(10))
        server = start_server(port)
        stack.callback(lambda: (server.kill(), server.wait()))
        page.goto(f"http://127.0.0.1:{port}/matches/{match.match.pk}/")
        expect(page.locator(".story li")).to_have_count(len(match.pictured))
        server.send_signal(signal.SIGKILL)
        server.wait()
        expect(page.locator(".notice")).to_contain_text("dialling again")
        hands(lambda: match.grow(15))
        again = start_server(port)
        stack.callback(lambda: (again.kill(), again.wait()))
        expect(page.locator(".story li")).to_have_count(len(match.pictured))
        hands(lambda: match.grow(match.left))
        expect(page.locator(".live")).to_have_count(0)
        assert told(page) == match.pictured
