"""The pictures in the README: pages of a league of For the King whose secret and match ids are fixed.

``make shots`` writes them (``FTK_PICTURES=docs/pictures pytest tests/browser/test_pictures.py``).
"""

from __future__ import annotations

from io import BytesIO
from itertools import count
from pathlib import Path
from unittest import mock

from django.db import connections
from PIL import Image
from playwright.sync_api import Page

from ftk_core.kit.built_in_bots import list_built_in_bots
from replays.models import Match
from tests.support.factories import create_active_version
from tests.support.leagues import play_all
from tournaments.ladders import ladder_court_ratings
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

GAME = "for_the_king"
BOTS = ("counter", "courtier", "gambler", "greedy", "miser", "random")
LUCK = bytes(range(32))
SIZES = {"viewer": (1120, 700), "leaderboard": (1120, 620)}
FRAME = 150
COLOURS = 128
"""Number of colours of a picture: the reduction is not visible, and the file has a third of the size."""


def play_match() -> Match:
    """Play the league and return a match of its last round; close this thread's database connections."""
    house = list_built_in_bots(GAME)
    same_luck = mock.patch.object(League._meta.get_field("secret"), "_get_default", return_value=LUCK)
    same_names = mock.patch.object(
        Match._meta.get_field("id"), "_get_default", map("{:012x}".format, count(1)).__next__
    )
    terms = LeagueSettings(slug="court", name="A night at court", game=GAME, seats=4, rounds=3, games=2, season="2026")
    with same_luck, same_names:
        league = services.open_league(terms)
        for number in range(8):
            name = BOTS[number % len(BOTS)]
            slug = f"{name}-2" if number >= len(BOTS) else name
            services.enter_bot(league.pk, create_active_version(house[name], slug=slug, game=GAME))
        services.start(league.pk)
        play_all(league)
    ladder_court_ratings.refit(GAME)
    match = league.tables.latest("round", "pk").match
    connections.close_all()
    return match


def take_pictures(page: Page, address: str, match: Match, folder: Path) -> list[Path]:
    """Write the pictures of the viewer and of the leaderboard into a folder; return their paths."""
    page.emulate_media(reduced_motion="reduce")
    paths = {"viewer": f"/matches/{match.pk}/?at={FRAME}", "leaderboard": f"/leaderboards/{GAME}/"}
    taken = []
    for name, path in paths.items():
        width, height = SIZES[name]
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address + path, wait_until="networkidle")
        if name == "viewer":
            page.locator("[data-table] [data-piece]").first.wait_for()
        else:
            page.locator("h1").evaluate("heading => heading.scrollIntoView()")
        taken.append(folder / f"{name}.png")
        picture = Image.open(BytesIO(page.screenshot(animations="disabled")))
        picture.convert("RGB").quantize(COLOURS).save(taken[-1], optimize=True)
    return taken
