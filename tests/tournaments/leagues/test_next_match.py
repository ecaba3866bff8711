"""The next match of a bot, on its page, as soon as its pairing is public."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from replays.models import Match
from tests.support.browser.pages import fetch_text
from tests.support.leagues import create_entrants, end_matches, start_league
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.queries import find_next_match

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_the_next_match_of_a_bot_is_shown_from_the_draft_of_its_round_until_it_begins() -> None:
    league = start_league(create_entrants(), rounds=1, held=True)
    draft = load(league)[1].draft
    assert draft is not None
    table = next(table for table in draft.tables if 1 in table.seating)
    (opponent,) = (load(league)[1].entrant(entry).name for entry in table.seating if entry != 1)
    drafted = find_next_match("b0")
    assert drafted is not None
    assert (drafted.league, drafted.round, drafted.table) == ("night", 1, table.number)
    assert (drafted.opponents, drafted.match) == ([opponent], "")
    services.begin_round(league.pk)
    paired = find_next_match("b0")
    assert paired is not None
    assert paired.match == league.tables.get(number=table.number).match_id
    page = fetch_text(Client(), "/bots/b0/")
    assert '<a href="/leagues/night/rounds/1/">round 1</a> of <bdi>Night</bdi>' in page
    assert f"<bdi>{opponent}</bdi>" in page
    Match.objects.filter(pk=paired.match).update(opened_at=timezone.now())
    assert find_next_match("b0") is None
    end_matches(league, Random(1))
    assert find_next_match("b1") is None
    assert "Next match" not in fetch_text(Client(), "/bots/b1/")


def test_a_bot_that_is_in_no_running_league_has_no_next_match() -> None:
    *versions, _ = create_entrants(5)
    start_league(versions)
    assert find_next_match("b0")
    assert find_next_match("b4") is None
