"""Ladders of leagues with remote bots or people, which are separate unless the organiser mixes the kinds."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from replays.models import Match
from tests.support.factories import create_active_version
from tests.support.league_entries import open_league
from tests.support.leagues import play_all
from tests.support.seats import create_remote_version
from tournaments.leagues import services
from tournaments.models import Rating

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("terms", "seasons"),
    [({}, {"outside"}), ({"mixed": True, "season": "2026"}, {"", "2026"})],
    ids=["separate ladder", "common ladder"],
)
def test_the_kinds_of_bots_that_a_league_admits_decide_which_ladder_rates_the_league(
    settings: Any, client: Client, terms: dict[str, Any], seasons: set[str]
) -> None:
    settings.SEATS = {**settings.SEATS, "grace_seconds": 0}
    league = open_league(kinds=("uploaded", "remote"), **terms)
    for version in (create_active_version(), create_remote_version()):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    play_all(league)
    assert set(Rating.objects.values_list("season", flat=True)) == seasons
    season = min(seasons, key=len)
    ladder = client.get(f"/leaderboards/pig/?season={season}").content.decode()
    assert ladder.count('<span class="pill">remote</span>') == 1
    assert client.get("/bots/afar/").content.decode().count('<span class="soft">remote</span>') == Match.objects.count()
