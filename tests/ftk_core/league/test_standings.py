"""Who stands where, and why."""

from __future__ import annotations

from fractions import Fraction

from ftk_core.league.standings import cross_table, points_of, share, standings
from tests.support.states import after, league_of, with_results


def test_a_place_is_worth_the_share_of_opponents_left_behind() -> None:
    assert [share((1, 2, 2, 4), seat) for seat in range(4)] == [1, Fraction(1, 2), Fraction(1, 2), 0]
    assert share((1, 1), 0) == Fraction(1, 2)


def test_points_come_before_wins_and_wins_before_the_opposition() -> None:
    rows = standings(with_results(((1, 2), (1, 2)), ((3, 4), (1, 1)), ((1, 3), (2, 1))))
    assert [(row.entry, row.points) for row in rows] == [
        (3, Fraction(3, 2)),
        (1, 1),
        (4, Fraction(1, 2)),
        (2, 0),
    ]


def test_entries_equal_in_everything_share_a_place() -> None:
    rows = standings(with_results(((1, 2), (1, 1)), ((3, 4), (1, 1))))
    assert {row.place for row in rows} == {1}


def test_a_bye_is_worth_a_win_once_its_round_is_closed() -> None:
    league = after(league_of(3, 2), 1)
    resting = league.rounds[0].byes[0]
    row = next(row for row in standings(league) if row.entry == resting)
    assert (row.points, row.byes, row.played) == (1, 1, 0)


def test_all_points_of_a_round_add_up() -> None:
    league = after(league_of(12, 4), 5)
    assert sum(row.points for row in standings(league)) == 5 * 3 * 2


def test_the_cross_table_mirrors_itself() -> None:
    cells = cross_table(after(league_of(8, 4), 3))
    for (one, other), (won, of) in cells.items():
        assert cells[other, one] == (of - won, of)


def test_a_match_can_be_worth_a_point_to_each_winner_or_one_point_shared() -> None:
    """Kings Court, where several win together, counts victories unless the organiser shares them."""
    places = (1, 3, 1, 3)
    assert [points_of("wins", places, seat) for seat in range(4)] == [1, 0, 1, 0]
    assert [points_of("shared", places, seat) for seat in range(4)] == [Fraction(1, 2), 0, Fraction(1, 2), 0]
    assert points_of("places", places, 0) == share(places, 0)
