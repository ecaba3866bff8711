"""Whole matches of each game played by hand in a browser, with mouse, keyboard and touch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.support.browser.axe import find_axe_violations
from tests.support.browser.database_thread import call_in_thread
from tests.support.lengths import short_or_long

pytestmark = pytest.mark.slow

GAMES = {
    "pig": (2, "hold20"),
    "to_court_the_king": (2, "builder"),
    "for_the_king": (2, "greedy"),
    "kings_court": (6, "random"),
}
"""The smallest table of each game, and a built-in bot that soon ends the match."""
WAYS = ("mouse", "keyboard", "touch")
QUICK = [("kings_court", "mouse"), ("kings_court", "touch"), ("pig", "keyboard")]
JOURNEYS = short_or_long(QUICK, [(game, way) for game in GAMES for way in WAYS])
READY = """() => {
  const hand = document.querySelector('.hand');
  if (!hand) return false;
  const over = /over/.test(hand.querySelector('.status').textContent);
  return over || hand.querySelector('.items button:not([disabled])') !== null;
}"""
TAKEN = """(number) => {
  const hand = document.querySelector('.hand');
  return hand.dataset.question !== number || !hand.classList.contains('asked');
}"""


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """A thread for the worker, because playwright's event loop runs in the test's thread."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def windows(chromium: Browser) -> Iterator[Callable[[str], Page]]:
    """Function that opens a browser window for one input device."""
    opened = []

    def window(way: str) -> Page:
        touch = way == "touch"
        size: ViewportSize = {"width": 390, "height": 844} if touch else {"width": 1280, "height": 800}
        context = chromium.new_context(viewport=size, has_touch=touch, is_mobile=touch, reduced_motion="reduce")
        opened.append(context)
        return context.new_page()

    yield window
    for context in opened:
        context.close()


def signed_in(page: Page, address: str, name: str = "ada") -> None:
    """Sign a person in; the database is used in another thread than playwright's."""
    page.context.add_cookies([{"name": "sessionid", "value": name, "url": address}])


def session_of_somebody() -> str:
    from django.test import Client

    from tests.support.factories import AuthorFactory

    client = Client()
    client.force_login(AuthorFactory.create(username="ada"))
    return client.cookies["sessionid"].value


def play_as_worker(match_id: str) -> bool:
    """Play a match as a worker process does."""
    from replays.playing.match_runner import play_match

    try:
        return play_match(match_id)
    finally:
        connections.close_all()


def sit_down(page: Page, arena: str, pool: ThreadPoolExecutor, game: str) -> Future[bool]:
    """Start a match from the page of a game, and play it as a worker in another thread."""
    signed_in(page, arena, call_in_thread(session_of_somebody))
    seats, bot = GAMES[game]
    page.goto(f"{arena}/games/{game}/")
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_label("Seats at the table").select_option(str(seats))
    page.get_by_label("Your seat").select_option("1")
    for box in page.locator("input[name=house]").all():
        box.set_checked(box.get_attribute("value") == bot)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/matches/*/")
    return pool.submit(play_as_worker, page.url.strip("/").split("/")[-1])


def choose(page: Page, items: Locator, press: Callable[[Locator], None]) -> None:
    """Press a selectable piece, if any, then the first remaining item; confirm it unless it was the only one."""
    is_only = items.count() == 1
    piece = page.locator("[data-piece][data-may]").first
    if piece.count():
        press(piece)
        expect(page.locator("[data-marked]").first).to_be_attached()
    press(items.first)
    if not is_only:
        press(page.get_by_role("button", name="Confirm"))


def play_by_mouse(page: Page, items: Locator) -> None:
    """Choose with the mouse."""
    choose(page, items, Locator.click)


def play_by_touch(page: Page, items: Locator) -> None:
    """Choose with a finger."""
    choose(page, items, Locator.tap)


def play_by_keyboard(page: Page, items: Locator) -> None:
    """Select an option by its number, move one on and back, choose it, and confirm it unless it is the only one."""
    is_only = items.count() == 1
    for key in ("1", "ArrowDown", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    if not is_only:
        expect(page.get_by_role("button", name="Confirm")).to_be_focused()
        page.keyboard.press("Enter")


ACTS: dict[str, Callable[[Page, Locator], None]] = {
    "mouse": play_by_mouse,
    "touch": play_by_touch,
    "keyboard": play_by_keyboard,
}


def play_to_the_end(page: Page, act: Callable[[Page, Locator], None]) -> int:
    """Answer all questions until the match is over; return the number of questions."""
    answers, hand = 0, page.locator(".hand")
    while True:
        page.wait_for_function(READY)
        if not hand.locator(".items").count():
            return answers
        number = hand.get_attribute("data-question")
        act(page, hand.locator(".items button"))
        page.wait_for_function(TAKEN, arg=number)
        answers += 1


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "way"), JOURNEYS)
def test_a_person_can_play_a_complete_match_in_the_browser(
    arena: str, pool: ThreadPoolExecutor, windows: Callable[[str], Page], game: str, way: str
) -> None:
    page = windows(way)
    wrong: list[Any] = []
    page.on("pageerror", lambda error: wrong.append(error))  # noqa: PLW0108 - playwright wraps no builtin
    working = sit_down(page, arena, pool, game)
    assert play_to_the_end(page, ACTS[way]) >= 1
    assert working.result(timeout=60) is True
    ended = page.url
    expect(page.locator(".live")).to_have_count(0)
    expect(page.locator(".say")).to_contain_text(re.compile("1\\. "))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing stands out to the side"
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    page.locator(".result").get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: url != ended)
    expect(page.locator("ftk-replay")).to_have_attribute("hand", "1")
    page.goto(f"{arena}/play/")
    expect(page.locator(".shelf .pill")).to_contain_text("place")
    assert not wrong


@pytest.mark.parametrize(("game", "way"), [(game, way) for game in GAMES for way in ("mouse", "touch")])
def test_the_page_where_a_person_plays_a_match_has_no_axe_violations(
    arena: str, pool: ThreadPoolExecutor, windows: Callable[[str], Page], settings: Any, game: str, way: str
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    page = windows(way)
    sit_down(page, arena, pool, game)
    page.wait_for_function(READY)
    assert find_axe_violations(page) == []


@pytest.mark.parametrize("way", ["keyboard", "touch"])
def test_a_human_player_sees_when_it_is_their_turn_and_can_undo_a_choice_before_sending_it(
    arena: str, pool: ThreadPoolExecutor, windows: Callable[[str], Page], settings: Any, way: str
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    page = windows(way)
    assert sit_down(page, arena, pool, "pig").result(timeout=60) is False
    page.wait_for_function(READY)
    expect(page.locator(".place.yours")).to_contain_text("Your turn")
    expect(page).to_have_title(re.compile("^Your turn · "))
    page.get_by_text("What can I do?").click()
    expect(page.locator(".hand details")).to_contain_text("“Roll the die”. A 2 to 6 is gathered.")
    status, items = page.locator(".hand .status"), page.locator(".hand .items button")
    if way == "keyboard":
        page.keyboard.press("2")
        for _ in range(3):  # a key that is held down repeats
            page.keyboard.down("Enter")
        expect(status).to_contain_text("You chose: Roll the die")
        page.keyboard.up("Enter")
        page.keyboard.press("Escape")
        expect(items.nth(1)).to_be_focused()
    else:
        items.nth(1).tap()
        expect(status).to_contain_text("You chose: Roll the die")
        page.get_by_role("button", name="Take back").tap()
    expect(status).to_contain_text("Your turn: 2 to choose from")
    page.get_by_label("Send at once").check()
    page.reload()
    page.wait_for_function(READY)
    items.nth(1).press("Enter")
    expect(status).to_contain_text("Waiting for")
    expect(page).not_to_have_title(re.compile("Your turn"))


def test_an_adjourned_match_played_by_a_person_resumes_at_the_same_question(
    arena: str, pool: ThreadPoolExecutor, windows: Callable[[str], Page], settings: Any
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    page = windows("keyboard")
    assert sit_down(page, arena, pool, "pig").result(timeout=60) is False, "it is adjourned, and its worker free"
    match_id = page.url.strip("/").split("/")[-1]
    for wait in (0, 0, 60):
        page.goto(f"{arena}/play/")
        page.locator(".shelf a").first.click()
        page.wait_for_function(READY)
        hand = page.locator(".hand")
        number = hand.get_attribute("data-question")
        play_by_keyboard(page, hand.locator(".items button"))
        page.wait_for_function(TAKEN, arg=number)
        settings.SEATS = {**settings.SEATS, "adjourn_seconds": wait}
        working = pool.submit(play_as_worker, match_id)
        assert wait or working.result(timeout=60) is False
    assert play_to_the_end(page, play_by_keyboard) >= 1
    assert working.result(timeout=60) is True
