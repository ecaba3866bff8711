"""Summary of the reviewed matches on a bot's page."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.reviewable import create_reviewed_match

TIMID = """
from ftk_core.kit.bot import run
run(lambda ask: 0 if ask.view["gathered"] >= 3 else 1)
"""
"""A bot of Pig that holds much too early."""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_each_costly_choice_on_the_page_of_a_bot_links_to_its_step_of_the_match(client: Client) -> None:
    match = create_waiting_match([create_active_version(TIMID) for _ in range(2)])
    assert play_match(match.pk)
    create_reviewed_match(match, "own")
    page = client.get(f"/bots/{match.seats.get(seat=0).bot.slug}/").content.decode()
    links = re.findall(r'<li><a href="([^"]*)">Match (\w+), step \d+</a>', page)
    assert links
    for link, number in links:
        assert link.startswith(f"/matches/{match.pk}/?at=")
        assert number == match.pk
        assert client.get(unescape(link)).status_code == 200
