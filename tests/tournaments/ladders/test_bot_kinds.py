"""Ladders of leagues with remote bots or people, which are separate unless the organiser mixes the kinds."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from bots.models import Bot
from bots.remote_bots import get_bot_by_hand
from people.account_erasure import erase_person
from replays.models import Match
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.ladders import create_bot, rate_results, read_elo
from tests.support.league_entries import open_league
from tests.support.leagues import play_all
from tests.support.seats import create_remote_version
from tournaments.ladders import ladder_match_rating
from tournaments.leagues import services
from tournaments.models import Rating

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
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


def test_a_ladder_can_be_rebuilt_after_the_erasure_of_a_person_and_the_reuse_of_the_freed_name() -> None:
    ada: User = AuthorFactory.create(username="ada")
    person, rival = get_bot_by_hand(ada, "pig"), create_bot("rival")
    rate_results([((person, rival), (1, 2))] * 3)
    before = read_elo()
    erase_person(ada)
    create_bot("ada-by-hand")
    ladder_match_rating.rebuild("pig")
    after = read_elo()
    assert after == {"rival": before["rival"], Bot.objects.get(pk=person.bot_id).slug: before["ada-by-hand"]}
    assert "ada-by-hand" not in after
