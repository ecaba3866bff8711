"""Feeds of the site: valid XML, whatever text they contain."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from tests.support.league_entries import create_own_version, open_league
from tournaments.leagues import services

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.mark.parametrize("character", ["%01", "%0B", "%1F", "%EF%BF%BF", "%3C"])
def test_a_feed_is_valid_xml_whatever_characters_the_author_parameter_contains(client: Client, character: str) -> None:
    answer = client.get(f"/bots/feed.atom?author=eve{character}")
    assert answer.status_code == 200
    title = ET.fromstring(answer.content).findtext("{http://www.w3.org/2005/Atom}title")
    assert title is not None
    assert title.startswith("New bots of eve")


def test_a_feed_describes_a_league_of_one_round_and_one_bot_in_the_singular(client: Client) -> None:
    league = open_league(rounds=1)
    services.enter_bot(league.pk, create_own_version())
    page = client.get("/games/pig/feed.atom").content.decode()
    assert "Pig, 1 bot, 1 round<" in page
    open_league(slug="other", rounds=3)
    assert "Pig, 0 bots, 3 rounds<" in client.get("/games/pig/feed.atom").content.decode()


@pytest.mark.parametrize("path", ["/games/pig/feed.atom", "/bots/feed.atom?author=of-ada"])
def test_each_entry_of_a_feed_has_a_date_of_change_and_an_author_and_the_feed_its_own_address(
    client: Client, path: str
) -> None:
    services.enter_bot(open_league().pk, create_own_version())
    feed = ET.fromstring(client.get(path).content)
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == 1
    assert [bool(entries[0].findtext(f"{ATOM}{tag}")) for tag in ("updated", f"author/{ATOM}name")] == [True, True]
    assert [link.get("href") for link in feed.findall(f"{ATOM}link[@rel='self']")] == [f"http://testserver{path}"]
