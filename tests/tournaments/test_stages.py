"""A league of several stages is announced, played to its end, and verifies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.management import call_command

from foundation.shell import Refusal
from ftk_core.kit.verify_league import verify_export
from ftk_core.league.plans import Stage
from ftk_core.league.state import NotNow
from tests.support.leagues import entrants, new_league, play_all
from tournaments import league_queries, services
from tournaments.models import League
from tournaments.projections import load

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_a_league_of_stages_is_played_to_its_end_and_verifies(tmp_path: Path) -> None:
    stages = (
        Stage(format="swiss", seats=4, least=2, rounds=2),
        Stage(format="knockout", seats=2, least=2, qualify=4, carry="none"),
    )
    league = new_league(entrants(8), stages=stages)
    play_all(league)
    page = league_queries.read_league("night")
    assert (page.round, page.rounds) == (4, 4)
    places = [row.place for row in page.standings.rows]
    assert places[:2] == [1, 2]  # who lost in the first stage may be equal in everything
    assert places == sorted(places)
    services.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


def test_a_league_of_stages_is_announced_from_a_shell() -> None:
    stages = '[{"format": "swiss", "seats": 4, "rounds": 2}, {"format": "knockout", "seats": 2, "qualify": 4}]'
    call_command("league", "open", "cup", "pig", "--stages", stages, "--ruling", "loss", verbosity=0)
    header = load(League.objects.get(slug="cup"))[1].header
    assert [(stage.format, stage.seats, stage.least) for stage in header.stages] == [
        ("swiss", 4, 2),
        ("knockout", 2, 2),
    ]
    assert (header.ruling, header.tries, bool(header.by)) == ("loss", 2, True)


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ('[{"format": "swiss"}]', "missing required field `seats`"),
        ('[{"format": "swiss", "seats": 2}]', "a league has rounds from 1 to 100, not 0"),
        ('[{"format": "knockout", "seats": 2, "groups": 3}]', "a stage of knockout has groups from 1 to 1, not 3"),
        ('[{"format": "knockout", "seats": 2, "prize": 3}]', "unknown field `prize`"),
        ('[{"format": "knockout", "seats": 2, "rest": "all"}]', "Invalid enum value 'all'"),
        ('[{"format": "knockout", "seats": 9}]', "2 to 6, not by 9"),
    ],
)
def test_stages_that_cannot_be_are_refused_with_a_sentence(stages: str, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        call_command("league", "open", "cup", "pig", "--stages", stages)
    assert not League.objects.exists()


@pytest.mark.slow
def test_bots_of_one_author_are_kept_apart_while_that_costs_no_repeat() -> None:
    versions = entrants(4)
    for one, other in (versions[:2], versions[2:]):
        other.bot.owner = one.bot.owner
        other.bot.save()
    league = new_league(versions, rounds=2)
    play_all(league)
    rounds = load(league)[1].rounds
    together = {frozenset(table.seating) for paired in rounds for table in paired.tables}
    assert not together & {frozenset({1, 2}), frozenset({3, 4})}
    assert [paired.weighed and paired.weighed.siblings for paired in rounds] == [0, 0]


def test_an_export_takes_the_place_of_no_device_and_no_folder(tmp_path: Path) -> None:
    play_all(new_league(entrants(2), rounds=1))
    for target in (Path(os.devnull), tmp_path):
        with pytest.raises(NotNow, match="is no file that an export could take the place of"):
            services.export_league("night", target)
    assert not Path(os.devnull).is_file()
