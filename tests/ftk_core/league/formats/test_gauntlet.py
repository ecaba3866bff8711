"""Gauntlet: the first seeds against everybody."""

from __future__ import annotations

from collections import Counter

from tests.support.stages import played, stage, tables


def test_the_challenger_meets_everybody_once_a_round() -> None:
    run = played(stage("gauntlet", rounds=2), entries=7)
    for number in (1, 2):
        assert all(1 in table for table in tables(run, number))
        assert sorted(entry for table in tables(run, number) for entry in table if entry != 1) == list(range(2, 8))


def test_several_challengers_do_not_meet_each_other_and_tables_are_shared() -> None:
    run = played(stage("gauntlet", seats=4, groups=2), entries=9)
    met = Counter(frozenset(table) & {1, 2} for table in tables(run, 1))
    assert set(met) == {frozenset({1}), frozenset({2})}
    assert sum(len(table) - 1 for table in tables(run, 1)) == 2 * 7


def test_the_challenger_sits_in_every_seat_equally_often() -> None:
    run = played(stage("gauntlet"), entries=9)
    seats = Counter(table.index(1) for table in tables(run, 1))
    assert seats == {0: 4, 1: 4}
