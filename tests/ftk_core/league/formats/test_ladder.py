"""Ladder: entries move up and down from table to table."""

from __future__ import annotations

from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.scoring.entrant_stage_totals import resting_entries
from ftk_core.league.standings import standings
from tests.support.stages import LeagueRun, list_round_tables, stage


def rank_entries(result: ResultRecorded) -> list[int]:
    """Return the entries of a match by place; no place may be shared."""
    assert len(set(result.places)) == len(result.places)
    return [entry for _, entry in sorted(zip(result.places, result.seating, strict=True))]


def test_the_ladder_format_moves_the_winner_of_a_table_one_table_up_and_the_last_bot_one_down() -> None:
    run = LeagueRun(stage("ladder", seats=3, least=3, rounds=2), entries=9)
    run.pair()
    assert [sorted(table) for table in list_round_tables(run, 1)] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    run.play()
    upper, middle, lower = (rank_entries(result) for result in run.league.results)
    run.pair()
    assert [set(table) for table in list_round_tables(run, 2)] == [
        {*upper[:2], middle[0]},
        {upper[2], middle[1], lower[0]},
        {middle[2], *lower[1:]},
    ]


def test_the_standings_of_the_ladder_format_are_the_order_of_the_ladder() -> None:
    run = LeagueRun(stage("ladder", seats=5, rounds=1), entries=10, seed=6)
    run.finish()
    upper, lower = (rank_entries(result) for result in run.league.results)
    order = [*upper[:4], lower[0], upper[4], *lower[1:]]
    assert [(row.place, row.entry) for row in standings(run.league)] == list(enumerate(order, 1))


def test_the_lowest_entries_of_a_ladder_round_have_byes_if_its_last_table_cannot_be_filled() -> None:
    run = LeagueRun(stage("ladder", seats=4, least=4, rounds=1), entries=10)
    run.pair()
    assert resting_entries(run.league.rounds[0]) == (9, 10)
