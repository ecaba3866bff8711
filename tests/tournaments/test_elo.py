"""Elo over places, in integers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tournaments.elo import MILLION, START, K, deltas, expected

TABLES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(500_000, 3_000_000), min_size=n, max_size=n),
        st.lists(st.integers(1, n), min_size=n, max_size=n),
    )
)


@given(TABLES)
def test_the_sum_of_all_ratings_is_conserved_exactly(table: tuple[list[int], list[int]]) -> None:
    assert sum(deltas(*table)) == 0


@given(TABLES)
def test_no_match_moves_a_rating_by_more_than_k(table: tuple[list[int], list[int]]) -> None:
    assert max(map(abs, deltas(*table))) <= K + len(table[0])


@given(st.integers(-2000, 2000))
def test_both_sides_expect_one_point_together(lead: int) -> None:
    assert expected(lead) + expected(-lead) == MILLION


def test_four_hundred_points_are_ten_to_one() -> None:
    assert expected(400) == round(MILLION * 10 / 11)
    assert expected(0) == MILLION // 2


def test_between_equals_first_and_last_move_by_half_of_k() -> None:
    assert deltas([START] * 2, [1, 2]) == (16_000, -16_000)
    assert deltas([START] * 4, [1, 2, 3, 4]) == (15_999, 5_333, -5_333, -15_999)


def test_a_tie_between_equals_moves_nothing_and_an_upset_moves_most() -> None:
    assert deltas([START] * 3, [1, 1, 1]) == (0, 0, 0)
    upset, favourite = deltas([1_300_000, 1_700_000], [1, 2]), deltas([1_700_000, 1_300_000], [1, 2])
    assert upset[0] > 16_000 > favourite[0] > 0
