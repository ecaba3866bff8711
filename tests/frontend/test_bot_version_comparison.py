"""Notes of a bot for its authors, and the comparison of two versions."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from bots.models import BotVersion
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_package, create_waiting_match

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
NOTING = """
from ftk_core.kit.bot import run

def choose(ask):
    ask.note = {"gathered": ask.view["gathered"], "share": 0.5}
    return 0 if ask.view["gathered"] >= 8 else 1

run(choose)
"""


def test_only_the_authors_of_a_bot_see_charts_of_the_numbers_it_logged() -> None:
    noting, other = create_active_version(NOTING, slug="noting"), create_active_version(slug="other")
    match = create_waiting_match([noting, other])
    assert play_match(match.pk)
    page = f"/matches/{match.pk}/"
    author, rival = Client(), Client()
    author.force_login(noting.bot.owner)
    rival.force_login(other.bot.owner)
    said = author.get(page).content.decode()
    rows = re.findall(r'<th scope="row" class="name">noting-1</th><td class="name"><code>(\w+)</code>', said)
    assert rows == ["gathered", "share"]
    assert 'class="spark"' in said
    for client in (rival, Client()):
        assert "noted" not in client.get(page).content.decode()


def test_the_comparison_page_shows_the_results_of_two_versions_of_a_bot(client: Client) -> None:
    old, other = create_active_version(slug="ada"), create_active_version(slug="bob")
    new = BotVersion.objects.create(bot=old.bot, number=2, package=create_package(NOTING), status="active")
    for number, version in enumerate((old, old, new)):
        match = create_waiting_match([version, other], str(number))
        assert play_match(match.pk)
    won = Match.objects.filter(seats__version=old, seats__place=1).count()
    said = client.get("/bots/ada/compare/").content.decode()
    assert cells(said, "Matches") == ["2", "1"]
    assert cells(said, "Won")[0] == str(won)
    assert float(cells(said, "Opponents left behind, %")[0]) == 50.0 * won
    assert cells(client.get("/bots/ada/compare/?a=2&b=1").content.decode(), "Matches") == ["1", "2"]
    assert "ada has no version 9." in client.get("/bots/ada/compare/?a=9").content.decode()
    assert client.get("/bots/nobody/compare/").status_code == 404
    assert cells(client.get("/bots/bob/compare/").content.decode(), "Matches") == ["3", "3"]


def cells(page: str, row: str) -> list[str]:
    (found,) = re.findall(rf'<th scope="row" class="name">{re.escape(row)}</th>(.*?)</tr>', page)
    return [cell.strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", found)]
