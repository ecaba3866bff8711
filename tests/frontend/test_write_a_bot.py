"""The page that tells how to write a bot: what it says to type can be typed."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from ftk_core.games import shelf
from ftk_core.kit.house import house_bots


@pytest.mark.django_db
def test_the_example_names_a_game_of_the_shelf_and_bots_of_its_house(client: Client) -> None:
    page = client.get("/write-a-bot/").content.decode()
    games = re.findall(r"ftk (?:play|check|upload) (\S+) ", page)
    assert len(games) == 3
    assert len(set(games)) == 1
    players = re.findall(r"ftk play \S+ (.+) --games", page)[0].split()
    assert len(players) in shelf()[games[0]].seats
    assert set(players) - {"./mybot.py"} <= house_bots(games[0]).keys()
