"""An organiser in Chromium: looks after a round in its run room, and does there what is to be done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, Page

from ftk_core.league import acts
from replays.models import Match
from replays.playing.runner import play_match
from tests.support.browser.aside import aside
from tests.support.browser.axe import breaches
from tests.support.browser.desk import act, turn_to
from tests.support.entering import opened
from tests.support.leagues import entrants
from tournaments import services
from tournaments.models import League
from tournaments.projections import read_facts

SHOTS = os.environ.get("FTK_ROOM_SHOTS", "")
"""A folder for pictures of what is passed on the way, wide and on a phone."""


def a_league() -> tuple[str, str]:
    """A league of olga's, one match of its first round played; returns that match and a session of hers."""
    olga = User.objects.create_user("olga")
    league = opened(by="olga", rounds=3, release="after_league")
    for version in entrants(4):
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
    """Whoever sits before the browser."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.found: list[str] = []
        self.said: list[str] = []
        page.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)

    def signs_in(self, session: str) -> None:
        self.page.context.add_cookies([{"name": "sessionid", "value": session, "url": self.site}])

    def acts(self, name: str, why: str = "the hall is cold", **words: str) -> None:
        act(self.page, name, **words, why=why)

    def looks(self, name: str) -> None:
        """See whether the page keeps the guidelines, and take its pictures where they are wanted."""
        for width in (1280, 390):
            self.page.set_viewport_size({"width": width, "height": 844})
            self.found += [f"{name} {width}: {breach}" for breach in breaches(self.page)]
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width, name
            if SHOTS:
                self.page.screenshot(path=Path(SHOTS, f"{name}-{width}.png"), full_page=True)
        self.page.set_viewport_size({"width": 1280, "height": 844})


@pytest.fixture
def organiser(arena: str, chromium: Browser) -> Any:
    context = chromium.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")
    yield Organiser(context.new_page(), arena)
    context.close()


DONE = [
    acts.LeaguePaused,
    acts.AnnouncementMade,
    acts.MatchVoided,
    acts.MatchReplaced,
    acts.MatchVoided,
    acts.ReplaysReleased,
    acts.LeagueResumed,
]


def kinds_of_deeds() -> list[type]:
    return [type(fact) for fact in facts() if isinstance(fact, acts.Deed)]


@pytest.mark.slow
def test_an_organiser_pauses_voids_announces_releases_and_resumes_in_the_run_room(organiser: Organiser) -> None:
    (played, session), page = aside(a_league), organiser.page
    organiser.signs_in(session)

    page.goto(f"{organiser.site}/matches/{played}/")
    page.get_by_text("The replay of this match is not released yet").wait_for()
    assert page.locator("ftk-replay").count() == 0
    organiser.looks("unreleased")

    page.goto(f"{organiser.site}/leagues/night/desk/")
    page.get_by_text("How bots answered is told once").wait_for()
    organiser.looks("room")
    organiser.acts("Pause")
    page.get_by_role("status").get_by_text("paused").wait_for()
    organiser.acts("Announce", text="Tea at four")
    turn_to(page, played)
    organiser.acts("Void and play again", why="a worker was slow")
    page.get_by_role("heading", name="About to begin 2").wait_for()
    turn_to(page)
    organiser.acts("Void", why="nobody can play it")
    organiser.looks("room-open")
    organiser.acts("Release replays", round="1")
    organiser.acts("Resume")

    page.goto(f"{organiser.site}/leagues/night/")
    page.get_by_text("Tea at four").wait_for()
    page.get_by_role("link", name="What the organisers did").click()
    page.get_by_text("no round begins").first.wait_for()
    organiser.looks("acts")
    page.goto(f"{organiser.site}/matches/{played}/")
    page.locator("ftk-replay [data-table] [data-piece]").first.wait_for()
    assert aside(kinds_of_deeds) == DONE
    assert organiser.found == []
    assert organiser.said == [], "no policy was broken, no script failed"


@pytest.mark.slow
def test_the_room_brings_itself_up_to_date_while_somebody_writes_a_reason(organiser: Organiser) -> None:
    (_, session), page = aside(a_league), organiser.page
    organiser.signs_in(session)
    page.goto(f"{organiser.site}/leagues/night/desk/")
    page.locator("summary", has_text="Pause").click()
    why = page.get_by_role("form", name="Pause").locator("[name=why]")
    why.fill("the hall is")
    page.get_by_role("heading", name="About to begin 1").wait_for()

    def played() -> None:
        match = Match.objects.get(status=Match.Status.WAITING)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.PLAYING, holder="w7")
        connections.close_all()

    aside(played)
    page.get_by_role("cell", name="w7").wait_for()
    assert why.input_value() == "the hall is"
