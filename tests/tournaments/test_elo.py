"""Elo over places, in integers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tournaments.elo import FIRST, MILLION, START, deltas, expected, k_after

Table = tuple[list[int], list[int], list[int]]
KS = (40_000, 32_000, 20_000, 10_000)
TABLES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(500_000, 3_000_000), min_size=n, max_size=n),
        st.lists(st.integers(1, n), min_size=n, max_size=n),
        st.lists(st.sampled_from(KS), min_size=n, max_size=n),
    )
)


@given(TABLES, st.sampled_from(KS))
def test_among_bots_of_equal_k_the_sum_of_all_ratings_is_conserved_exactly(table: Table, k: int) -> None:
    ratings, places, _ = table
    assert sum(deltas(ratings, places, [k] * len(places))) == 0


@given(TABLES)
def test_no_match_moves_a_rating_by_more_than_its_own_k(table: Table) -> None:
    assert all(abs(delta) <= k + len(table[0]) for delta, k in zip(deltas(*table), table[2], strict=True))


@given(TABLES)
def test_what_a_match_adds_is_in_the_proportion_of_k_and_nothing_else(table: Table) -> None:
    ratings, places, ks = table
    alike = deltas(ratings, places, [40_000] * len(ks))
    found = deltas(ratings, places, ks)
    assert all(
        abs(40_000 * one - k * other) <= 50_000 * len(ks) for one, other, k in zip(found, alike, ks, strict=True)
    )


def test_k_falls_with_the_matches_behind_a_bot_and_never_rises() -> None:
    ks = [k_after(matches) for matches in range(300)]
    assert ks == sorted(ks, reverse=True)
    assert (ks[0], ks[30], ks[100], ks[-1]) == (40_000, 20_000, 10_000, 10_000)


@given(st.integers(-2000, 2000))
def test_both_sides_expect_one_point_together(lead: int) -> None:
    assert expected(lead) + expected(-lead) == MILLION


def test_four_hundred_points_are_ten_to_one() -> None:
    assert expected(400) == round(MILLION * 10 / 11)
    assert expected(0) == MILLION // 2


def test_between_equals_first_and_last_move_by_half_of_k() -> None:
    assert deltas([START] * 2, [1, 2], [FIRST] * 2) == (16_000, -16_000)
    assert deltas([START] * 4, [1, 2, 3, 4], [FIRST] * 4) == (15_999, 5_333, -5_333, -15_999)


def test_a_tie_between_equals_moves_nothing_and_an_upset_moves_most() -> None:
    assert deltas([START] * 3, [1, 1, 1], [FIRST] * 3) == (0, 0, 0)
    upset, favourite = (deltas(two, [1, 2], [FIRST] * 2) for two in ([1_300_000, 1_700_000], [1_700_000, 1_300_000]))
    assert upset[0] > 16_000 > favourite[0] > 0
