"""Ladder: up and down from table to table."""

from __future__ import annotations

from ftk_core.league.standings import standings
from ftk_core.league.tallies import resting
from tests.support.stages import Run, stage, tables


def test_the_first_of_a_table_goes_up_and_the_last_goes_down() -> None:
    run = Run(stage("ladder", seats=3, least=3, rounds=2), entries=9)
    run.pair()
    assert [sorted(table) for table in tables(run, 1)] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    run.play()
    order = [result.seating[result.places.index(1)] for result in run.league.results]
    run.pair()
    second = tables(run, 2)
    assert order[1] in second[0]
    assert order[2] in second[1]
    assert sum(entry in (1, 2, 3) for entry in second[0]) == 2


def test_standings_are_the_rungs() -> None:
    run = Run(stage("ladder", seats=4, rounds=1), entries=10)
    run.finish()
    assert [row.place for row in standings(run.league)] == list(range(1, 11))


def test_whoever_is_left_over_rests_at_the_foot() -> None:
    run = Run(stage("ladder", seats=4, least=4, rounds=1), entries=10)
    run.pair()
    assert resting(run.league.rounds[0]) == (9, 10)
