"""Ladder: entries move up and down from table to table."""

from __future__ import annotations

from ftk_core.league.scoring.entrant_stage_totals import resting_entries
from ftk_core.league.standings import standings
from tests.support.stages import LeagueRun, list_round_tables, stage


def test_the_ladder_format_moves_the_winner_of_a_table_one_table_up_and_the_last_bot_one_down() -> None:
    run = LeagueRun(stage("ladder", seats=3, least=3, rounds=2), entries=9)
    run.pair()
    assert [sorted(table) for table in list_round_tables(run, 1)] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    run.play()
    order = [result.seating[result.places.index(1)] for result in run.league.results]
    run.pair()
    second = list_round_tables(run, 2)
    assert order[1] in second[0]
    assert order[2] in second[1]
    assert sum(entry in (1, 2, 3) for entry in second[0]) == 2


def test_the_standings_of_the_ladder_format_are_the_order_of_the_ladder() -> None:
    run = LeagueRun(stage("ladder", seats=4, rounds=1), entries=10)
    run.finish()
    assert [row.place for row in standings(run.league)] == list(range(1, 11))


def test_the_lowest_entries_of_a_ladder_round_have_byes_if_its_last_table_cannot_be_filled() -> None:
    run = LeagueRun(stage("ladder", seats=4, least=4, rounds=1), entries=10)
    run.pair()
    assert resting_entries(run.league.rounds[0]) == (9, 10)
