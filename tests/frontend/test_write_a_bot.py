"""Pages for authors: their example commands work as shown, and they name the next step of each bot."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client

from bots.models import Bot, BotVersion
from bots.remote_bots import get_bot_by_hand
from ftk_core.games import list_games
from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.factories import create_active_version


@pytest.mark.django_db
def test_the_example_commands_name_a_registered_game_and_its_built_in_bots(client: Client) -> None:
    page = client.get("/write-a-bot/").content.decode()
    games = re.findall(r"ftk (?:play|check|upload) (\S+) ", page)
    assert len(games) == 3
    assert len(set(games)) == 1
    players = re.findall(r"ftk play \S+ (.+) --games", page)[0].split()
    assert len(players) in list_games()[games[0]].seats
    assert set(players) - {"./my-bot"} <= list_built_in_bots(games[0]).keys()


@pytest.mark.django_db
def test_the_page_about_writing_a_bot_shows_the_server_address_and_a_working_download_link(client: Client) -> None:
    page = client.get("/write-a-bot/", headers={"host": "127.0.0.1:8123"}).content.decode()
    assert "export FTK_SERVER=http://127.0.0.1:8123\n" in page.replace("</code>", "\n")
    (wheel,) = re.findall(r"pip install http://127.0.0.1:8123(\S+\.whl)", page)
    with ZipFile(BytesIO(client.get(wheel).content)) as kit:
        assert {"ftk_core/kit/cli.py", "ftk_core/kit/viewer/manifest.json"} <= set(kit.namelist())
        licences = {Path(name).name for name in kit.namelist() if ".dist-info/licenses/" in name}
        viewer = kit.read("ftk_core/kit/viewer/licenses.md").decode()
    assert licences == {"LICENSE", "NOTICE"}
    assert {"svelte", "uplot"} <= set(re.findall(r"^## (\S+)", viewer, re.MULTILINE))


STEPS = {
    "trial": "ada version 1 is about to play its trial match.",
    "refused": "ada version 1 was refused: it crashed. Fix it",
    "active": "ada version 1 may play. Enter it in a league.",
    "resting": "ada version 1 does not play. Activate a version of the bot, or upload the next one.",
    "retired": "ada version 1 does not play. Activate a version of the bot, or upload the next one.",
}


TRIALS = {
    ("active", "uploaded"): "It played its trial match to the end, and may enter a league.",
    ("active", "remote"): "It runs outside of the arena, so it needs no trial match.",
    ("resting", "uploaded"): "It passed its trial and rests:",
    ("retired", "uploaded"): "It passed its trial and is retired:",
    ("trial", "uploaded"): "The trial match is still to be played.",
}


@pytest.mark.django_db
@pytest.mark.parametrize(("status", "kind"), TRIALS)
def test_the_page_of_a_trial_explains_the_status_of_the_bot_in_a_sentence_that_depends_on_the_kind_of_bot(
    client: Client, status: str, kind: str
) -> None:
    create_active_version(slug="ada")
    BotVersion.objects.update(status=status)
    Bot.objects.update(kind=kind)
    assert TRIALS[status, kind] in client.get("/bots/ada/versions/1/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("name", list_games())
def test_the_example_command_on_the_page_of_a_game_seats_as_many_players_as_the_game_needs(
    client: Client, name: str
) -> None:
    (players,) = re.findall(rf"ftk play {name} (.+) --games", client.get(f"/games/{name}/").content.decode())
    assert len(players.split()) in list_games()[name].seats
    assert set(players.split()) - {"./mybot.py"} <= list_built_in_bots(name).keys()


@pytest.mark.django_db
def test_the_page_about_writing_a_bot_tells_visitors_to_sign_in_and_authors_without_a_bot_that_they_have_none(
    client: Client,
) -> None:
    assert "You are not signed in" in client.get("/write-a-bot/").content.decode()
    ada = User.objects.create_user("ada")
    client.force_login(ada)
    assert "You have no bot here yet, ada." in client.get("/write-a-bot/").content.decode()
    get_bot_by_hand(ada, "pig")
    assert "You have no bot here yet, ada." in client.get("/write-a-bot/").content.decode(), "ada only plays by hand"


@pytest.mark.django_db
@pytest.mark.parametrize("status", STEPS)
def test_the_page_about_writing_a_bot_suggests_a_next_step_that_fits_the_status_of_the_newest_version(
    client: Client, status: str
) -> None:
    version = create_active_version(slug="ada")
    BotVersion.objects.update(status=status, reason="it crashed")
    client.force_login(version.bot.owner)
    assert STEPS[status] in client.get("/write-a-bot/").content.decode()
