"""Elo ratings from places, in integer arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tournaments.ladders.elo_ratings import (
    MILLION,
    START_RATING,
    compute_deltas,
    compute_expected_score,
    compute_k,
)
from tournaments.ladders.ladder_event_types import LeagueMatchRated
from tournaments.ladders.match_rating_order import PLACES_PER_LEAGUE, compute_match_position

Table = tuple[list[int], list[int], list[int]]
KS = (40_000, 32_000, 20_000, 10_000)
TABLES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(500_000, 3_000_000), min_size=n, max_size=n),
        st.lists(st.integers(1, n), min_size=n, max_size=n),
        st.lists(st.sampled_from(KS), min_size=n, max_size=n),
    )
)


@pytest.mark.slow
@given(TABLES, st.sampled_from(KS))
def test_with_equal_k_factors_the_sum_of_all_ratings_does_not_change(table: Table, k: int) -> None:
    ratings, places, _ = table
    assert sum(compute_deltas(ratings, places, [k] * len(places))) == 0


@pytest.mark.slow
@given(TABLES)
def test_no_match_changes_a_rating_by_more_than_the_k_factor_of_the_player(table: Table) -> None:
    assert all(abs(delta) <= k + len(table[0]) for delta, k in zip(compute_deltas(*table), table[2], strict=True))


@pytest.mark.slow
@given(TABLES)
def test_rating_changes_are_proportional_to_the_k_factor(table: Table) -> None:
    ratings, places, ks = table
    alike = compute_deltas(ratings, places, [40_000] * len(ks))
    found = compute_deltas(ratings, places, ks)
    assert all(
        abs(40_000 * one - k * other) <= 50_000 * len(ks) for one, other, k in zip(found, alike, ks, strict=True)
    )


def test_the_k_factor_never_increases_with_the_number_of_matches() -> None:
    ks = [compute_k(matches) for matches in range(300)]
    assert ks == sorted(ks, reverse=True)
    assert (ks[0], ks[30], ks[100], ks[-1]) == (40_000, 20_000, 10_000, 10_000)


@given(st.integers(-2000, 2000))
def test_the_expected_scores_of_two_players_add_up_to_one(lead: int) -> None:
    assert compute_expected_score(lead) + compute_expected_score(-lead) == MILLION


def test_a_lead_of_400_points_means_odds_of_ten_to_one() -> None:
    assert compute_expected_score(400) == round(MILLION * 10 / 11)
    assert compute_expected_score(0) == MILLION // 2


def test_among_equally_rated_players_the_winner_gains_and_the_last_player_loses_half_of_the_k_factor() -> None:
    assert compute_deltas([START_RATING] * 2, [1, 2], [32_000] * 2) == (16_000, -16_000)
    assert compute_deltas([START_RATING] * 4, [1, 2, 3, 4], [32_000] * 4) == (15_999, 5_333, -5_333, -15_999)


def test_an_unexpected_win_changes_ratings_more_than_an_expected_win_and_a_tie_of_equals_changes_none() -> None:
    assert compute_deltas([START_RATING] * 3, [1, 1, 1], [32_000] * 3) == (0, 0, 0)
    upset, favourite = (
        compute_deltas(two, [1, 2], [32_000] * 2) for two in ([1_300_000, 1_700_000], [1_700_000, 1_300_000])
    )
    assert upset[0] > 16_000 > favourite[0] > 0


def test_positions_in_the_rating_order_increase_with_the_round_up_to_round_1000() -> None:
    def position(round_: int, table: int = 300, game: int = 9) -> int:
        return compute_match_position(
            LeagueMatchRated(match="m", league=3, round=round_, table=table, game=game, names=(), places=())
        )

    positions = [position(round_, table, game) for round_ in range(1, 1001) for table in (1, 511) for game in (0, 15)]
    assert positions == sorted(set(positions))
    assert positions[-1] < 4 * PLACES_PER_LEAGUE
    with pytest.raises(ValueError, match="no place on a ladder"):
        position(256, table=512)
