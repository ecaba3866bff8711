"""The page that tells how to write a bot: what it says to type can be typed."""

from __future__ import annotations

import re
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client

from bots.models import BotVersion
from ftk_core.games import shelf
from ftk_core.kit.house import house_bots
from tests.support.factories import active_version


@pytest.mark.django_db
def test_the_example_names_a_game_of_the_shelf_and_bots_of_its_house(client: Client) -> None:
    page = client.get("/write-a-bot/").content.decode()
    games = re.findall(r"ftk (?:play|check|upload) (\S+) ", page)
    assert len(games) == 3
    assert len(set(games)) == 1
    players = re.findall(r"ftk play \S+ (.+) --games", page)[0].split()
    assert len(players) in shelf()[games[0]].seats
    assert set(players) - {"./my-bot"} <= house_bots(games[0]).keys()


@pytest.mark.django_db
def test_it_names_the_arena_that_shows_it_and_a_kit_that_it_hands_out(client: Client) -> None:
    page = client.get("/write-a-bot/", headers={"host": "127.0.0.1:8123"}).content.decode()
    assert "export FTK_SERVER=http://127.0.0.1:8123\n" in page.replace("</code>", "\n")
    (wheel,) = re.findall(r"pip install http://127.0.0.1:8123(\S+\.whl)", page)
    with ZipFile(BytesIO(client.get(wheel).content)) as kit:
        assert {"ftk_core/kit/cli.py", "ftk_core/kit/viewer/manifest.json"} <= set(kit.namelist())


STEPS = {
    "trial": "ada version 1 is about to play its trial match.",
    "refused": "ada version 1 was refused: it crashed. Mend it",
    "active": "ada version 1 may play. Enter it in a league.",
}


@pytest.mark.django_db
def test_whoever_is_not_signed_in_is_led_there_and_who_has_no_bot_begins_one(client: Client) -> None:
    assert "You are not signed in" in client.get("/write-a-bot/").content.decode()
    client.force_login(User.objects.create_user("ada"))
    assert "You have no bot here yet, ada." in client.get("/write-a-bot/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("status", STEPS)
def test_the_next_step_is_what_the_newest_version_waits_for(client: Client, status: str) -> None:
    version = active_version(slug="ada")
    BotVersion.objects.update(status=status, reason="it crashed")
    client.force_login(version.bot.owner)
    assert STEPS[status] in client.get("/write-a-bot/").content.decode()
