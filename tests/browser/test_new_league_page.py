"""The form for a new league in Chromium: clicks, presets, tie-breaks, times, and copies of a league."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect

from ftk_core.league.league_facts import LeagueOpened
from people.person_roles import make_organiser
from tests.support.browser.database_thread import call_in_thread
from tests.support.browser.page_checks import click_through, find_page_faults
from tests.support.league_entries import open_league
from tournaments.leagues.queries import read_terms
from tournaments.models import League
from tournaments.organisers.league_templates import save_template

SHOTS = os.environ.get("FTK_ROOM_SHOTS", "")
"""Folder for screenshots of the form, wide and on a phone; empty for none."""
MAX_PRESSES = 4
pytestmark = pytest.mark.slow


def sign_in() -> str:
    """Create the organiser olga, and return a session of hers."""
    olga = User.objects.create_user("olga")
    make_organiser(olga)
    client = Client()
    client.force_login(olga)
    return client.cookies["sessionid"].value


@dataclass
class Organiser:
    """An organiser with a browser window that counts presses."""

    page: Page
    site: str
    presses: int = 0

    def press(self, button: Locator, act: Callable[[Locator], Any] = Locator.click) -> None:
        self.presses += 1
        act(button)

    def open_form(self, query: str = "") -> None:
        self.page.goto(f"{self.site}/leagues/new/{query}")

    def field(self, name: str) -> Locator:
        return self.page.locator(f"form [name={name}]")

    def choose(self, field: Locator, act: Callable[[Locator], Any]) -> None:
        """Change the kind or the game, and wait for its values."""
        with self.page.expect_response(lambda answer: answer.url.endswith("/leagues/new/")):
            self.press(field, act)


@pytest.fixture(params=[{}])
def organiser(arena: str, chromium: Browser, request: pytest.FixtureRequest) -> Any:
    context = chromium.new_context(
        viewport={"width": 1280, "height": 844}, timezone_id="Asia/Taipei", reduced_motion="reduce", **request.param
    )
    session = call_in_thread(sign_in)
    context.add_cookies([{"name": "sessionid", "value": session, "url": arena}])
    yield Organiser(context.new_page(), arena)
    context.close()


def terms(slug: str) -> LeagueOpened:
    return call_in_thread(read_terms, slug)


def test_a_preset_league_needs_a_name_and_four_clicks_and_uses_the_time_zone_of_the_organiser(
    organiser: Organiser,
) -> None:
    page = organiser.page
    organiser.open_form()
    page.get_by_text("in your time zone, Asia/Taipei").wait_for()
    page.keyboard.type("Friday night")
    organiser.choose(page.get_by_label("A season"), Locator.check)
    organiser.choose(organiser.field("game"), lambda field: field.select_option("pig"))
    organiser.press(page.get_by_label("Begins by itself"), lambda field: field.fill("2027-03-05T04:30"))
    organiser.press(page.get_by_role("button", name="Announce it"), click_through)
    assert organiser.presses <= MAX_PRESSES
    assert page.url == f"{organiser.site}/leagues/friday-night/"
    announced = terms("friday-night")
    assert (announced.game, announced.rounds, announced.games, announced.late) == ("pig", 11, 2, 3)
    assert announced.entries_until == 1_804_192_200, "2027-03-04 20:30 UTC"


def test_a_start_time_without_its_hour_is_refused_before_the_league_is_announced(organiser: Organiser) -> None:
    page = organiser.page
    organiser.open_form()
    page.keyboard.type("Friday night")
    organiser.choose(page.get_by_label("A season"), Locator.check)
    organiser.choose(organiser.field("game"), lambda field: field.select_option("pig"))
    page.get_by_label("Begins by itself").press_sequentially("03052027")
    page.get_by_role("button", name="Announce it").click()
    assert page.get_by_label("Begins by itself").evaluate("field => field === document.activeElement")
    assert page.url.endswith("/leagues/new/")
    assert call_in_thread(League.objects.count) == 0


def test_values_typed_in_the_league_form_remain_after_choosing_a_preset_or_after_an_error(
    organiser: Organiser,
) -> None:
    page = organiser.page
    organiser.open_form()
    page.get_by_text("Format and scoring").click()
    organiser.field("seats").fill("3")
    organiser.choose(page.get_by_label("A cup"), Locator.check)
    page.wait_for_function("document.querySelector('[name=finalists]').value === '8'")
    assert [organiser.field(name).input_value() for name in ("rounds", "seats")] == ["3", "3"]
    assert page.locator("#section-format").get_attribute("open") is not None
    organiser.choose(organiser.field("game"), lambda field: field.select_option("kings_court"))
    organiser.field("seats").fill("6")
    page.get_by_text("Clock and game options").click()
    page.get_by_label("Guard in the box").fill("2")
    page.get_by_label("Begins by itself").fill("2001-03-05T04:30")
    click_through(page.get_by_role("button", name="Announce it"))
    assert page.get_by_label("Begins by itself").input_value() == "2001-03-05T04:30"
    page.get_by_text("that is past").wait_for()
    assert page.get_by_label("Guard in the box").is_visible(), "a section with an error is open"


def test_choosing_a_league_template_selects_its_game_which_the_organiser_can_change_afterwards(
    organiser: Organiser,
) -> None:
    def save() -> None:
        open_league(by="olga", slug="pigs", rounds=7)
        save_template(User.objects.get(username="olga"), "pigs", "Pig on Fridays")

    call_in_thread(save)
    organiser.open_form()
    organiser.choose(organiser.field("game"), lambda field: field.select_option("kings_court"))
    organiser.choose(organiser.page.get_by_label("Pig on Fridays"), Locator.check)
    expect(organiser.field("game")).to_have_value("pig")
    expect(organiser.field("rounds")).to_have_value("7")
    organiser.choose(organiser.field("game"), lambda field: field.select_option("kings_court"))
    expect(organiser.page.locator("[name=filled]")).to_have_value(re.compile("kings_court$"))
    expect(organiser.field("game")).to_have_value("kings_court")


def test_tie_breaks_are_chosen_from_a_list_and_ordered_by_buttons_keys_and_dragging(organiser: Organiser) -> None:
    page, field = organiser.page, organiser.field("tiebreaks")
    organiser.open_form()
    page.get_by_text("Format and scoring").click()
    for name in ("Lots", "Head to head", "Wins"):
        page.get_by_label(name, exact=True).check()
    assert field.input_value() == "lots, head-to-head, wins"
    page.get_by_role("button", name="Move Wins up").focus()
    for _ in range(2):
        page.keyboard.press("Enter")
    assert field.input_value() == "wins, lots, head-to-head"
    page.drag_and_drop("#tiebreak-head-to-head .help", "#tiebreak-wins .help")
    assert field.input_value() == "head-to-head, wins, lots"
    page.get_by_label("Lots", exact=True).uncheck()
    organiser.field("name").fill("Friday")
    click_through(page.get_by_role("button", name="Announce it"))
    assert terms("friday").stages[0].tiebreaks == ("head-to-head", "wins")


@pytest.mark.parametrize("organiser", [{"java_script_enabled": False}], indirect=True)
def test_the_new_league_form_works_without_javascript(organiser: Organiser) -> None:
    page = organiser.page
    organiser.open_form()
    organiser.field("name").fill("Friday")
    page.get_by_label("A ladder").check()
    organiser.field("game").select_option("kings_court")
    click_through(page.get_by_role("button", name="Fill in the values for this kind and game"))
    page.get_by_text("Clock and game options").click()
    page.get_by_label("Kings Gifts").fill("3")
    page.get_by_text("Format and scoring").click()
    page.get_by_label("Tie-breaks in order").fill("wins lots")
    page.get_by_label("Begins by itself").fill("2027-03-05T04:30")
    page.get_by_text("in UTC; empty").wait_for()
    click_through(page.get_by_role("button", name="Announce it"))
    announced = terms("friday")
    assert (announced.format, announced.rounds, announced.seats) == ("ladder", 8, 6)
    assert (announced.options, announced.stages[0].tiebreaks) == (
        '{"cards":null,"fake":false,"gifts":3}',
        ("wins", "lots"),
    )
    assert announced.entries_until == 1_804_221_000, "2027-03-05 04:30 UTC"


def test_an_organiser_announces_a_copy_of_an_earlier_league_in_the_browser(organiser: Organiser) -> None:
    old = call_in_thread(
        lambda: open_league(slug="evening-3", name="Evening 3", rounds=7, tiebreaks=("lots",), release="after_round")
    )
    page = organiser.page
    page.goto(f"{organiser.site}/leagues/{old.slug}/")
    click_through(page.get_by_role("link", name="Announce one like it"))
    click_through(page.get_by_role("button", name="Announce it"))
    assert page.url == f"{organiser.site}/leagues/evening-4/"
    announced = terms("evening-4")
    assert (announced.name, announced.rounds, announced.release) == ("Evening 4", 7, "after_round")
    assert announced.stages == terms("evening-3").stages


@pytest.mark.nightly
@pytest.mark.parametrize("organiser", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True)
def test_the_new_league_form_with_its_forecast_has_no_axe_violations_on_desktop_and_phone(
    organiser: Organiser, request: pytest.FixtureRequest
) -> None:
    page, scheme = organiser.page, request.node.callspec.params["organiser"]["color_scheme"]
    organiser.open_form()
    organiser.choose(organiser.field("game"), lambda field: field.select_option("kings_court"))
    page.get_by_text("bots wins in").wait_for()
    assert find_page_faults(page, f"new-league-{scheme}", SHOTS) == []
    for summary in page.locator("details.section > summary").all():
        summary.click()
    page.locator("#figures > summary").click()
    assert find_page_faults(page, f"new-league-open-{scheme}", SHOTS) == []
