"""Tables of every game at every size on one screen: table, controls, story and explanations."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ftk_core.games import list_games
from tests.support.browser.database_thread import call_in_thread
from tests.support.lengths import short_or_long
from tests.support.live import LiveMatch
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

EVERY = [
    (name, seats)
    for name, row in list_games().items()
    for seats in short_or_long([min(row.seats), max(row.seats)], list(row.seats))
]
WINDOWS = ((1024, 700), (1280, 800))
FITTING = {"below": 0, "cut": 0, "scrolled": 0}
FITS = """() => {
  const room = document.querySelector('[data-table]');
  if (!room) return null;
  const [play] = document.querySelectorAll('.controls [data-icon=play]');
  const gap = play.getBoundingClientRect().bottom - innerHeight;
  const lowest = Math.max(...[...room.querySelectorAll('*')].map((part) => part.getBoundingClientRect().bottom));
  const cut = Math.max(0, Math.round(lowest - room.getBoundingClientRect().bottom));
  return {below: Math.max(0, Math.round(gap)), cut, scrolled: scrollY};
}"""
LINE = """() => {
  const [line, list] = [document.querySelector('.story [aria-current]'), document.querySelector('.story .list')];
  if (!line) return false;
  const [at, frame] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
  return at.top >= frame.top - 1 && at.bottom <= frame.bottom + 1;
}"""


GOLDEN = Path("tests/golden")


def played(name: str, seats: int, golden: str = "", longest: bool = False) -> str:
    """Return a finished match, random or golden; it is created in another thread than playwright's."""

    def grown() -> str:
        match = LiveMatch(name, seats)
        lines = list(match.lines)
        if golden:  # without the golden file's lines between log pages
            lines = [line for line in (GOLDEN / golden).read_bytes().splitlines() if line.startswith(b'{"kind"')]
        opened = json.loads(lines[0])
        opened["players"] = [seat.version.label for seat in match.match.seats.all()]
        if longest:
            opened["players"] = [f"{label:m<40}" for label in opened["players"]]
        match.lines = (json.dumps(opened, separators=(",", ":")).encode(), *lines[1:])
        match.grow(match.left)
        return str(match.match.pk)

    return call_in_thread(grown)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_the_game_table_and_its_controls_fit_the_browser_window(arena: str, page: Page, name: str, seats: int) -> None:
    match = played(name, seats)
    for eyes in ("public", "all"):
        page.goto(f"{arena}/matches/{match}/?at=99999&eyes={eyes}")
        page.get_by_role("button", name="Play (Space)").wait_for()
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            for key in ("End", "ArrowUp", "Home"):  # the fullest table, another, the emptiest
                page.keyboard.press(key)
                wait_for(lambda: page.evaluate(FITS) == FITTING, f"{width}x{height}, {eyes}, {key}: it fits")


@pytest.mark.parametrize("size", [(960, 720), (640, 480), (390, 600), (320, 480)])
@pytest.mark.parametrize(("name", "seats"), [("for_the_king", 4), ("kings_court", 8)])
def test_an_embedded_match_and_its_playback_controls_fit_into_the_iframe(
    arena: str, page: Page, name: str, seats: int, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    # use the wider fallback font, as before the fonts are loaded
    page.route("**/*.woff2", lambda request: request.abort())
    page.goto(f"{arena}/embed/{played(name, seats, longest=True)}/?at=99999")
    page.get_by_role("button", name="Play (Space)").wait_for()
    wait_for(lambda: (page.evaluate(FITS) or FITTING | {"below": 1})["below"] == 0, "its controls are in the frame")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    room = page.locator("[data-table]").bounding_box()
    assert room
    assert room["height"] > 60
    expect(page.get_by_role("button", name="Close the result")).to_be_in_viewport(ratio=1)
    assert room["y"] + room["height"] <= size[1]


def test_the_replay_of_a_match_opened_from_a_list_starts_at_the_first_choice_of_a_player(
    arena: str, page: Page
) -> None:
    games = ("for_the_king", "keeps|lays"), ("kings_court", "may hide"), ("to_court_the_king", "sets aside")
    for name, said in games:
        page.goto(f"{arena}/matches/{played(name, max(2, list_games()[name].seats.start))}/")
        expect(page.locator(".say")).to_have_text(re.compile(said))


def test_the_text_of_a_match_scrolls_to_the_current_line(arena: str, page: Page) -> None:
    page.goto(f"{arena}/matches/{played('for_the_king', 4)}/")
    for key in ("End", "ArrowLeft", "Home", "]", "ArrowDown", "End"):
        page.locator("[data-icon=play]").focus()
        page.keyboard.press(key)
        wait_for(lambda: page.evaluate(LINE), f"the line is in sight after {key}")


def test_the_text_of_a_match_is_one_tab_stop_and_arrow_keys_move_between_its_lines(arena: str, page: Page) -> None:
    page.goto(f"{arena}/matches/{played('for_the_king', 2)}/?at=30")
    lines = page.locator(".story button")
    expect(page.locator(".story [aria-current]")).to_be_visible()
    expect(page.locator(".story button[tabindex='0']")).to_have_count(1)
    expect(page.locator(".story summary").last).to_have_text("The end")  # wait for the story, which arrives in parts
    now = page.locator(".story [aria-current]")
    before = now.inner_text()
    now.focus()
    page.keyboard.press("ArrowDown")
    expect(now).not_to_have_text(before)
    expect(now).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(now).to_have_text(before)
    page.keyboard.press("PageDown")
    expect(page.locator(".story details[open]").last.locator("li").first.locator("button")).to_be_focused()
    page.keyboard.press("End")
    expect(lines.last).to_be_focused()
    expect(page.locator(".story details[open] summary")).to_have_text("The end")


def test_the_match_text_combines_three_consecutive_turns_without_visible_events_into_one_line(
    arena: str, page: Page
) -> None:
    page.goto(f"{arena}/matches/{played('kings_court', 11, 'kings_court-11.jsonl')}/")
    expect(page.locator(".story summary").first).to_be_visible()
    expect(page.locator(".story li", has_text="times: … says nothing.").first).to_be_attached()
    lines = [line.strip() for line in page.locator(".story li").all_text_contents()]
    told = [line.endswith("says nothing.") and "times" not in line for line in lines]
    assert any("says nothing." in line for line in lines)
    assert not any(all(told[start : start + 3]) for start in range(len(told) - 2))


def test_game_pieces_are_explained_on_hover_focus_and_touch(arena: str, page: Page) -> None:
    page.goto(f"{arena}/matches/{played('to_court_the_king', 3)}/?at=40")
    tip, farmer = page.get_by_role("tooltip"), page.get_by_role("img", name=re.compile("^Farmer, "))
    farmer.wait_for()
    expect(page.locator("[data-piece][tabindex='0']")).to_have_count(1)
    wait_for(lambda: page.locator(".story button").count() > 40, "the story, which moves the table as it comes")

    def explained() -> bool:  # the table may still move under a resting pointer
        farmer.hover()
        return any("Cost: a pair." in said for said in tip.all_inner_texts())

    wait_for(explained, "a piece explains itself to the pointer")
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    page.locator("[data-piece][tabindex='0']").focus()
    expect(tip).to_be_visible()
    step = page.locator(".step b").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-piece]:focus")).to_have_attribute("aria-describedby", "ftk-about")
    expect(page.locator(".step b")).to_have_text(step)
    page.goto(f"{page.url}&lang=zh-Hant")
    wait_for(lambda: page.locator(".story button").count() > 40, "the story in Chinese")
    page.get_by_role("img", name="農夫").first.click()
    expect(tip).to_contain_text("花費：一對")


def test_the_running_score_of_the_game_is_shown_beside_every_player(arena: str, page: Page) -> None:
    for name, said in (("for_the_king", "Points in sight"), ("kings_court", "Suspected"), ("pig", "Points")):
        seats = list_games()[name].seats.start
        page.goto(f"{arena}/matches/{played(name, seats)}/?at=20")
        expect(page.locator(".place dl", has_text=said)).to_have_count(seats)
