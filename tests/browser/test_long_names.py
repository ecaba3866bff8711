"""Names of extreme length and of both directions of writing, on a phone: nothing overflows, no text is reordered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from playwright.sync_api import Page

from tests.support.browser.long_names import NAMES
from tests.support.browser.page_checks import HEIGHT, PHONE

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PATHS = (
    *("/", "/leagues/", "/series/s/", "/leagues/l6/", "/leagues/l6/standings/", "/leagues/l6/rounds/1/"),
    *("/leagues/l6/cross/", "/leagues/l6/print/", "/leagues/l6/predictions/", "/bots/l6-1/", "/predictions/"),
)
FIND_FAULTS = """name => {
    const faults = [], texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
    for (let text; (text = texts.nextNode()); ) {
        if (!text.data.includes(name) || !text.parentElement.checkVisibility()) continue
        const isIsolated = ['isolate', 'plaintext'].includes(getComputedStyle(text.parentElement).unicodeBidi)
        if (text.data.trim() !== name || !isIsolated) faults.push(text.parentElement.outerHTML.slice(0, 200))
    }
    return faults
}"""
"""Script that returns the elements in which a name stands beside other text or is not isolated from it."""


def fill_arena() -> None:
    """Store a league, a series, a comment and a prediction of people and bots with extreme names."""
    from django.contrib.auth.models import User  # import only after the settings are configured

    from people.person_roles import make_organiser
    from tools.bench.league_database_filler import create_large_league
    from tournaments.comments.services import add_comment
    from tournaments.league_series.services import LeagueSeriesSettings, add_league, open_series
    from tournaments.models import League
    from tournaments.models.organiser_roles import LeagueRole
    from tournaments.models.predictions import Prediction

    league = create_large_league(6, 100, 3, NAMES)
    League.objects.update(comments="at_once")
    person = User.objects.get(username=NAMES[0])
    make_organiser(person)
    LeagueRole.objects.create(league=league, person=person, role=LeagueRole.Role.ORGANISER)
    open_series(person, LeagueSeriesSettings(slug="s", name=NAMES[0], game="pig"))
    add_league(User.objects.create_user("staff", is_staff=True), "s", league.slug)
    add_comment(person, league.slug, "", "W" * 200)
    Prediction.objects.create(league=league, person=person, round=1, table=1, entry=1, points=10_000, chance=5000)


def test_long_and_bidirectional_names_neither_overflow_a_phone_screen_nor_reorder_nearby_text(
    page: Page, arena: str
) -> None:
    with ThreadPoolExecutor(1) as hands:
        hands.submit(fill_arena).result()
        hands.submit(connections.close_all).result()
    page.set_viewport_size({"width": PHONE, "height": HEIGHT})
    faults, seen = [], 0
    for path in PATHS:
        page.goto(arena + path)
        seen += NAMES[0] in page.inner_text("main")
        if (width := page.evaluate("document.documentElement.scrollWidth")) > PHONE:
            faults.append(f"{path} is {width} px wide")
        faults += [f"{path}: {fault}" for fault in page.evaluate(FIND_FAULTS, NAMES[0])]
    assert faults == []
    assert seen >= len(PATHS) - 2, "the pages show the names"
