"""Gauntlet: the first seeds play against everybody."""

from __future__ import annotations

from collections import Counter

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
