"""A series in a browser: an organiser opens it and adds leagues, and everybody sees its standings."""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from playwright.sync_api import Page, expect

from people.person_roles import make_organiser
from tests.support.browser.database_thread import call_in_thread
from tests.support.browser.page_checks import click_through, find_page_faults
from tests.support.league_entries import open_league
from tests.support.leagues import create_entrants, play_all
from tournaments.leagues import services

SHOTS = os.environ.get("FTK_ROOM_SHOTS", "")


def play_two_of_three_leagues() -> str:
    """Announce three leagues of olga, play two of them, and return a session of olga."""
    olga = User.objects.create_user("olga")
    make_organiser(olga)
    versions = create_entrants()
    for number in range(3):
        league = open_league(slug=f"night-{number}", name=f"Night {number}", by="olga")
        for version in versions:
            services.enter_bot(league.pk, version)
        if number < 2:
            services.start(league.pk)
            play_all(league)
    client = Client()
    client.force_login(olga)
    connections.close_all()
    return client.cookies["sessionid"].value


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_an_organiser_creates_a_series_of_three_leagues_with_the_keyboard_alone(live_server: Any, page: Page) -> None:
    session = call_in_thread(play_two_of_three_leagues)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/series/")
    assert not find_page_faults(page, "series-list", SHOTS)
    page.get_by_label("Name").fill("Winter Cup")
    page.get_by_label("Game").select_option("pig")
    page.get_by_label("Dropped leagues").fill("1")
    page.get_by_label("Points by place").fill("10 6 4 3")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    for number in range(3):
        page.get_by_label("League", exact=True).select_option(f"night-{number}")
        click_through(page.get_by_role("button", name="Add it"))
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(4)
    assert page.locator("tbody s").count() == 4, "one of two leagues is dropped for each bot"
    expect(page.get_by_role("heading", name="Still to be finished")).to_be_visible()
    assert not find_page_faults(page, "series", SHOTS)
    click_through(page.get_by_role("button", name="Remove Night 2 from the series"))
    expect(page.get_by_role("heading", name="Still to be finished")).to_have_count(0)
