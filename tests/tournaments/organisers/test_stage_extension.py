"""Limits on the rounds of a league when a stage is extended; withdrawals between rounds, and entries brought back."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from foundation.management_commands import InvalidCommandInputError
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.standings import standings
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.leagues import create_entrants, play_all, start_league, store_drawn_result
from tournaments import tasks
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load, read_facts
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import Entrant

GROUPS = (StageSettings(format="groups", seats=2, groups=2),)
pytestmark = pytest.mark.django_db(transaction=True)


def organise(*arguments: Any) -> None:
    call_command("organise", *map(str, arguments))


@pytest.mark.slow
def test_the_final_places_of_a_knockout_are_stored_after_a_finalist_withdraws_between_two_rounds() -> None:
    league = start_league(create_entrants(4), rounds=0, format="knockout")
    organise("pause", "night", "--why", "lunch")
    for match in Match.objects.filter(status=Match.Status.WAITING):
        assert play_match(match.pk)
        services.record_match(match.pk)
    results = [fact for fact in read_facts(league) if isinstance(fact, ResultRecorded)]
    finalist = results[0].seating[results[0].places.index(1)]
    organise("withdraw", "night", finalist, "--why", "its author has left")
    organise("resume", "night", "--why", "lunch is over")
    tasks.sweep()
    play_all(league)
    stored = dict(Entrant.objects.filter(league=league).values_list("number", "place"))
    assert stored == {standing.entry: standing.place for standing in standings(load(league)[1])}


def test_a_stage_cannot_be_extended_beyond_the_maximum_number_of_rounds_of_a_league() -> None:
    stages = (StageSettings(format="swiss", seats=2, rounds=2), StageSettings(format="knockout", seats=2))
    league = start_league(create_entrants(4), stages=stages)
    reason = "then all stages of Night have 1001 rounds; a league has at most 1000"
    with pytest.raises(InvalidCommandInputError, match=reason):
        organise("extend", "night", 999, "--why", "we like it")
    organise("extend", "night", 998, "--why", "we like it")
    league.refresh_from_db()
    assert league.rounds == 1000


def test_a_stage_with_many_matches_at_a_table_cannot_be_extended_beyond_the_rounds_that_ladders_rate() -> None:
    start_league(create_entrants(2), rounds=1, games=17)
    with pytest.raises(InvalidCommandInputError, match="at most 16 matches of a table"):
        organise("extend", "night", 256, "--why", "we like it")
    organise("extend", "night", 255, "--why", "we like it")


@pytest.mark.slow
def test_a_group_stage_cannot_be_extended_after_one_of_its_groups_has_rested() -> None:
    # a group of five bots, and one of four, which needs only three rounds
    league = start_league(create_entrants(9), stages=GROUPS)
    organise("extend", "night", 6, "--why", "we like it")
    organise("extend", "night", 5, "--why", "we are tired")
    for number in (1, 2, 3):
        for match in league.tables.filter(round=number).values_list("match_id", flat=True):
            store_drawn_result(match, Random(1))
            services.record_match(match)
    with pytest.raises(InvalidCommandInputError, match="it would repeat only a part of them"):
        organise("extend", "night", 6, "--why", "we like it")


def test_an_entry_that_is_not_in_the_stage_being_played_cannot_be_brought_back() -> None:
    league = services.open_league(
        LeagueSettings(slug="night", name="Night", game="pig", seats=2, format="knockout", rounds=0)
    )
    for version in create_entrants(5):
        services.enter_bot(league.pk, version)
    organise("withdraw", "night", 4, "--why", "its author has left")
    organise("return", "night", 4, "--why", "and is back")
    organise("withdraw", "night", 4, "--why", "its author has left again")
    services.start(league.pk)
    with pytest.raises(InvalidCommandInputError, match="b3-1 is not in the stage that is being played"):
        organise("return", "night", 4, "--why", "and is back")
