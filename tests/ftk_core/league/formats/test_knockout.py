"""Knockout: half of each table advances."""

from __future__ import annotations

import pytest

from ftk_core.league.scoring.entrant_stage_totals import resting_entries
from ftk_core.league.standings import standings
from tests.support.stages import LeagueRun, list_round_tables, play_league, stage


def test_in_the_first_round_of_a_knockout_the_top_seed_meets_the_bottom_seed() -> None:
    run = LeagueRun(stage("knockout"), entries=8)
    run.pair()
    assert {frozenset(table) for table in list_round_tables(run, 1)} == {frozenset((n, 9 - n)) for n in range(1, 5)}


def test_the_top_seeds_of_a_knockout_have_byes_if_the_bracket_is_not_full() -> None:
    run = LeagueRun(stage("knockout"), entries=11)
    run.pair()
    assert resting_entries(run.league.rounds[0]) == (1, 2, 3, 4, 5)
    assert {frozenset(table) for table in list_round_tables(run, 1)} == {frozenset((n, 17 - n)) for n in (6, 7, 8)}


@pytest.mark.parametrize(("entries", "rounds"), [(2, 1), (3, 2), (4, 2), (8, 3), (9, 4), (16, 4), (31, 5)])
def test_each_round_of_a_two_player_knockout_halves_the_number_of_entries(entries: int, rounds: int) -> None:
    assert len(play_league(stage("knockout"), entries=entries).league.rounds) == rounds


def test_a_knockout_ranks_entries_by_the_last_round_that_they_reach() -> None:
    run = play_league(stage("knockout", games=3), entries=8)
    places = {row.entry: row.place for row in standings(run.league)}
    final = list_round_tables(run, 3)[0]
    assert {places[entry] for entry in final} == {1, 2}
    assert {places[entry] for table in list_round_tables(run, 2) for entry in table} == {
        1,
        2,
        3,
        4,
    } or 3 in places.values()


def test_in_a_knockout_two_entries_advance_from_each_table_of_four() -> None:
    run = play_league(stage("knockout", seats=4), entries=16)
    assert [len(paired.tables) for paired in run.league.rounds] == [4, 2, 1]
