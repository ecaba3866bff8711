"""Gauntlet: the first seeds play against everybody."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.scoring.tiebreak_inputs import TiebreakInputs
from tests.support.stages import list_round_tables, play_league, stage


def test_the_challenger_of_a_gauntlet_meets_every_opponent_once_per_round() -> None:
    run = play_league(stage("gauntlet", rounds=2), entries=7)
    for number in (1, 2):
        assert all(1 in table for table in list_round_tables(run, number))
        assert sorted(entry for table in list_round_tables(run, number) for entry in table if entry != 1) == list(
            range(2, 8)
        )


def test_the_challengers_of_a_gauntlet_never_meet_each_other_and_each_plays_all_other_entries() -> None:
    run = play_league(stage("gauntlet", seats=4, groups=2), entries=9)
    for challenger, other in ((1, 2), (2, 1)):
        seated = [entry for table in list_round_tables(run, 1) if challenger in table for entry in table]
        assert other not in seated
        assert sorted(entry for entry in seated if entry != challenger) == list(range(3, 10))


def test_the_challenger_of_a_gauntlet_plays_every_seat_equally_often() -> None:
    run = play_league(stage("gauntlet"), entries=9)
    seats = Counter(table.index(1) for table in list_round_tables(run, 1))
    assert seats == {0: 4, 1: 4}


@pytest.mark.parametrize(("rest", "worth"), [("win", 1), ("half", Fraction(1, 2)), ("none", 0)])
def test_an_entry_that_rests_in_a_gauntlet_of_two_challengers_gets_points_for_two_missed_tables(
    rest: str, worth: Fraction
) -> None:
    run = play_league(stage("gauntlet", seats=4, least=4, groups=2, games=3, rest=rest), entries=9)
    assert len(run.league.rounds) == 2
    for paired in run.league.rounds:
        tables = Counter(entry for table in paired.tables for entry in table.seating)
        points = {one.entry: Fraction(one.points) for one in paired.rests}
        assert list(points.values()) == [2 * 3 * worth]
        assert {entry: tables[entry] for entry in range(3, 10)} == {n: 0 if n in points else 2 for n in range(3, 10)}
    assert run.league.rounds[0].rests != run.league.rounds[1].rests
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []


def test_a_rest_in_a_gauntlet_counts_in_tiebreaks_as_a_win_against_an_opponent_with_an_equal_score() -> None:
    league = play_league(stage("gauntlet", seats=4, least=4, groups=2), entries=9).league
    resting = league.rounds[0].rests[0].entry
    first_round = TiebreakInputs(league, league.begun[0], eliminates=False).added[resting][0]
    assert first_round.quality == first_round.opposition > 0


def test_league_rules_version_1_chooses_the_resting_entries_of_a_gauntlet_separately_for_each_challenger() -> None:
    run = play_league(stage("gauntlet", seats=4, least=4, groups=2), entries=9, rules=1)
    tables = Counter(entry for table in run.league.rounds[0].tables for entry in table.seating)
    assert sorted(tables[entry] for entry in range(3, 10)) == [1, 1, 2, 2, 2, 2, 2]
    assert run.league.rounds[0].rests == ()
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
