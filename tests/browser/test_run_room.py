"""The run room in the browser: an organiser follows a round and acts on it."""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, Page

from ftk_core.league import intervention_facts
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.browser.database_thread import call_in_thread
from tests.support.browser.organiser_console import open_match_act, submit_act
from tests.support.browser.page_checks import find_page_faults
from tests.support.league_entries import open_league
from tests.support.leagues import create_entrants
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import read_facts
from tournaments.models import League

pytestmark = pytest.mark.slow

SHOTS = os.environ.get("FTK_ROOM_SHOTS", "")
"""Folder for screenshots of every step, wide and on a phone; empty for none."""


def a_league() -> tuple[str, str]:
    """Create a league of olga with one played match; return this match and a session of olga."""
    olga = User.objects.create_user("olga")
    league = open_league(by="olga", rounds=3, release="after_league")
    for version in create_entrants(4):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    match = Match.objects.earliest("created_at", "pk")
    assert play_match(match.pk)
    assert services.record_match(match.pk)
    client = Client()
    client.force_login(olga)
    session = client.cookies["sessionid"].value
    connections.close_all()
    return str(match.pk), session


def facts() -> list[Any]:
    try:
        return read_facts(League.objects.get(slug="night"))
    finally:
        connections.close_all()


class Organiser:
    """A person with a browser window."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.found: list[str] = []
        self.said: list[str] = []
        page.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)

    def signs_in(self, session: str) -> None:
        self.page.context.add_cookies([{"name": "sessionid", "value": session, "url": self.site}])

    def acts(self, name: str, why: str = "the hall is cold", **words: str) -> None:
        submit_act(self.page, name, **words, why=why)

    def looks(self, name: str) -> None:
        """Check the page with axe, and take screenshots if they were requested."""
        self.found += find_page_faults(self.page, name, SHOTS)


@pytest.fixture
def organiser(arena: str, chromium: Browser) -> Any:
    context = chromium.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")
    yield Organiser(context.new_page(), arena)
    context.close()


DONE = [
    intervention_facts.LeaguePaused,
    intervention_facts.AnnouncementMade,
    intervention_facts.LeagueCorrected,
    intervention_facts.MatchVoided,
    intervention_facts.MatchReplaced,
    intervention_facts.MatchVoided,
    intervention_facts.ReplaysReleased,
    intervention_facts.LeagueResumed,
]


def kinds_of_deeds() -> list[type]:
    return [type(fact) for fact in facts() if isinstance(fact, intervention_facts.InterventionFact)]


@pytest.mark.nightly
def test_an_organiser_can_pause_and_resume_a_league_and_void_matches_and_release_replays_in_the_browser(
    organiser: Organiser,
) -> None:
    (played, session), page = call_in_thread(a_league), organiser.page
    organiser.signs_in(session)

    page.goto(f"{organiser.site}/matches/{played}/")
    page.get_by_text("The replay of this match is not released yet").wait_for()
    assert page.locator("ftk-replay").count() == 0
    organiser.looks("unreleased")

    page.goto(f"{organiser.site}/leagues/night/desk/")
    page.get_by_text("The bots' answers are shown once").wait_for()
    organiser.looks("room")
    organiser.acts("Pause")
    page.get_by_role("status").get_by_text("paused").wait_for()
    submit_act(page, "Announce", text="Tea at four")
    organiser.acts("Correct the league", description="# Prizes\n\n- a *cup*\n\n```\nftk check\n```")
    open_match_act(page, "Replay", played)
    organiser.acts("Void and play again", why="a worker was slow")
    page.get_by_role("heading", name="About to begin 2").wait_for()
    open_match_act(page, "Void")
    organiser.acts("Void", why="nobody can play it")
    organiser.looks("room-open")
    organiser.acts("Release replays", round="1")
    organiser.acts("Resume")

    page.goto(f"{organiser.site}/leagues/night/")
    page.get_by_text("Tea at four").wait_for()
    page.get_by_role("heading", name="Description").click()
    page.get_by_role("heading", name="Prizes").wait_for()
    organiser.looks("described")
    page.get_by_role("link", name="What the organisers did").click()
    page.get_by_text("no round begins").first.wait_for()
    organiser.looks("acts")
    page.goto(f"{organiser.site}/matches/{played}/")
    page.locator("ftk-replay [data-table] [data-piece]").first.wait_for()
    assert call_in_thread(kinds_of_deeds) == DONE
    assert organiser.found == []
    assert organiser.said == [], "no policy was broken, no script failed"


def test_the_organisers_page_of_a_league_refreshes_without_losing_a_typed_reason(organiser: Organiser) -> None:
    (_, session), page = call_in_thread(a_league), organiser.page
    organiser.signs_in(session)
    page.goto(f"{organiser.site}/leagues/night/desk/")
    page.get_by_role("link", name="Pause", exact=True).click()
    why = page.get_by_role("form", name="Pause").locator("[name=why]")
    why.fill("the hall is")
    page.get_by_role("heading", name="About to begin 1").wait_for()

    def played() -> None:
        match = Match.objects.get(status=Match.Status.WAITING)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING, holder="w7")
        connections.close_all()

    call_in_thread(played)
    page.get_by_role("cell", name="w7").wait_for()
    assert why.input_value() == "the hall is"


def a_drafted_round() -> str:
    """Create a league of olga whose first round waits as a draft; return a session of hers."""
    olga = User.objects.create_user("olga")
    league = open_league(by="olga", rounds=2, held=True)
    for version in create_entrants(4):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    client = Client()
    client.force_login(olga)
    connections.close_all()
    return client.cookies["sessionid"].value


def seats_of_draft(page: Page) -> list[str]:
    return page.locator(".draft-board [data-draft-entry]").all_inner_texts()


def exchange_by_keys(page: Page, one: str, other: str) -> None:
    """Exchange two entries of the draft with the keyboard in two presses, the names and the reason typed."""
    page.locator(f"[data-draft-entry='{one}']").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")  # the first press, which moves the focus to the field for the other entry's name
    page.keyboard.type(other)
    page.keyboard.press("Tab")
    page.get_by_role("heading", name="What will change").wait_for()
    page.keyboard.type("and now they do not")
    with page.expect_navigation():
        page.keyboard.press("Enter")  # the second press
    page.get_by_text("Done. ").wait_for()


def test_an_organiser_can_swap_two_entries_of_a_round_before_it_begins_by_dragging_or_by_keyboard(
    organiser: Organiser,
) -> None:
    session, page = call_in_thread(a_drafted_round), organiser.page
    organiser.signs_in(session)
    page.goto(f"{organiser.site}/leagues/night/desk/")
    one, left, other, right = seats_of_draft(page)
    with page.expect_navigation():
        page.drag_and_drop(f"[data-draft-entry='{one}']", f"[data-draft-entry='{other}']")
    page.get_by_role("cell", name="2", exact=True).first.wait_for()
    organiser.looks("exchange")
    organiser.acts("Exchange two entries", why="they share a machine")
    assert seats_of_draft(page) == [other, left, one, right]
    exchange_by_keys(page, one, other)
    assert seats_of_draft(page) == [one, left, other, right]
    assert call_in_thread(kinds_of_deeds) == [intervention_facts.DraftedRoundChanged] * 2
    assert (organiser.found, organiser.said) == ([], [])
