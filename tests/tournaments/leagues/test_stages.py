"""Leagues of several stages: announcement, play and verification."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.management import call_command

from foundation.management_commands import InvalidCommandInputError
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_state import CommandRejected
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.leagues import finished_league_export
from tournaments.leagues.league_event_projection import load
from tournaments.models import League
from tournaments.reports import league_page_queries

pytestmark = pytest.mark.django_db(transaction=True)
SIBLINGS = {frozenset({1, 2}), frozenset({3, 4})}


@pytest.mark.slow
def test_a_league_of_several_stages_is_played_to_its_end_and_passes_verification(tmp_path: Path) -> None:
    stages = (
        StageSettings(format="swiss", seats=4, least=2, rounds=2),
        StageSettings(format="knockout", seats=2, least=2, qualify=4, carry="none"),
    )
    league = start_league(create_entrants(8), stages=stages)
    play_all(league)
    page = league_page_queries.read_league("night")
    assert (page.round, page.rounds) == (4, 4)
    places = [row.place for row in page.standings.rows]
    assert places[:2] == [1, 2]  # bots that lost in the first stage may be equal in all criteria
    assert places == sorted(places)
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


def test_a_league_of_several_stages_can_be_announced_from_the_shell() -> None:
    stages = '[{"format": "swiss", "seats": 4, "rounds": 2}, {"format": "knockout", "seats": 2, "qualify": 4}]'
    call_command("league", "open", "cup", "pig", "--stages", stages, "--ruling", "loss", verbosity=0)
    header = load(League.objects.get(slug="cup"))[1].header
    assert [(stage.format, stage.seats, stage.least) for stage in header.stages] == [
        ("swiss", 4, 2),
        ("knockout", 2, 2),
    ]
    assert (header.ruling, header.tries, bool(header.by)) == ("loss", 2, True)


@pytest.mark.parametrize(("worth", "first"), [((), "wins"), (("--worth", "shared"), "shared")])
def test_a_stage_announced_in_the_shell_inherits_the_scoring_rule_of_the_league_or_game(
    worth: tuple[str, ...], first: str
) -> None:
    stages = '[{"format": "swiss", "seats": 6, "rounds": 2}, {"format": "knockout", "seats": 6, "worth": "places"}]'
    call_command("league", "open", "cup", "kings_court", "--stages", stages, *worth, verbosity=0)
    header = load(League.objects.get(slug="cup"))[1].header
    assert (header.worth, *(stage.worth for stage in header.stages)) == (first, first, "places")


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ('[{"format": "swiss"}]', "missing required field `seats`"),
        ('[{"format": "swiss", "seats": 2}]', "The number of rounds must be between 1 and 100"),
        (
            '[{"format": "knockout", "seats": 2, "groups": 3}]',
            "Groups of the format knockout must be between 1 and 1",
        ),
        ('[{"format": "knockout", "seats": 2, "prize": 3}]', "unknown field `prize`"),
        ('[{"format": "knockout", "seats": 2, "rest": "all"}]', "Invalid enum value 'all'"),
        ('[{"format": "knockout", "seats": 9}]', "2 to 6, not by 9"),
    ],
)
def test_invalid_stages_of_a_league_are_refused_with_the_reason(stages: str, said: str) -> None:
    with pytest.raises(InvalidCommandInputError, match=said):
        call_command("league", "open", "cup", "pig", "--stages", stages)
    assert not League.objects.exists()


@pytest.mark.slow
def test_bots_of_one_author_meet_only_to_avoid_a_repeated_pairing() -> None:
    versions = create_entrants(4)
    for one, other in (versions[:2], versions[2:]):
        other.bot.owner = one.bot.owner
        other.bot.save()
    league = start_league(versions, rounds=3)
    play_all(league)
    rounds = load(league)[1].rounds
    together = [{frozenset(table.seating) for table in paired.tables} & SIBLINGS for paired in rounds]
    assert together == [set(), set(), SIBLINGS]
    assert [paired.weighed and paired.weighed.siblings for paired in rounds] == [0, 0, 2]


@pytest.mark.slow
def test_a_league_export_overwrites_no_device_file_and_no_folder(tmp_path: Path) -> None:
    play_all(start_league(create_entrants(2), rounds=1))
    for target in (Path(os.devnull), tmp_path):
        with pytest.raises(CommandRejected, match="exists and is not a file"):
            finished_league_export.export_league("night", target)
    assert not Path(os.devnull).is_file()
