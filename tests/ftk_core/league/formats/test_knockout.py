"""Knockout: half of each table goes on."""

from __future__ import annotations

import pytest

from ftk_core.league.standings import standings
from ftk_core.league.tallies import resting
from tests.support.stages import Run, played, stage, tables


def test_the_first_seed_meets_the_last_and_so_on_inwards() -> None:
    run = Run(stage("knockout"), entries=8)
    run.pair()
    assert {frozenset(table) for table in tables(run, 1)} == {frozenset((n, 9 - n)) for n in range(1, 5)}


def test_before_a_full_bracket_the_first_seeds_are_spared() -> None:
    run = Run(stage("knockout"), entries=11)
    run.pair()
    assert resting(run.league.rounds[0]) == (1, 2, 3, 4, 5)
    assert {frozenset(table) for table in tables(run, 1)} == {frozenset((n, 17 - n)) for n in (6, 7, 8)}


@pytest.mark.parametrize(("entries", "rounds"), [(2, 1), (3, 2), (4, 2), (8, 3), (9, 4), (16, 4), (31, 5)])
def test_pairs_need_as_many_rounds_as_two_must_be_doubled(entries: int, rounds: int) -> None:
    assert len(played(stage("knockout"), entries=entries).league.rounds) == rounds


def test_who_comes_further_stands_before_who_has_more_points() -> None:
    run = played(stage("knockout", games=3), entries=8)
    places = {row.entry: row.place for row in standings(run.league)}
    final = tables(run, 3)[0]
    assert {places[entry] for entry in final} == {1, 2}
    assert {places[entry] for table in tables(run, 2) for entry in table} == {1, 2, 3, 4} or 3 in places.values()


def test_at_tables_of_four_two_go_on() -> None:
    run = played(stage("knockout", seats=4), entries=16)
    assert [len(paired.tables) for paired in run.league.rounds] == [4, 2, 1]
