"""The reliability of the values of reviews: calibrated shares, their intervals, and the stored table."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ftk_core.analysis.position_estimate_calibration import (
    CERTAIN,
    HALF,
    PositionEstimateCalibration,
    read_reliabilities,
    reliability_of,
    stage_reliabilities,
    unknown_reliability,
)
from ftk_core.games import game, list_games
from tests.support.native_library import can_build, enable_native_rules
from tests.support.reviews import log_of, policy_for, review_of
from tools.review_calibration.calibrate_reviews import collect_samples
from tools.review_calibration.calibration_regression import CalibrationSample, fit_reliability, list_tenths

TABLES = [(name, seats) for name in list_games() for seats in game(name).seats]
MEASURED = PositionEstimateCalibration(
    game="pig", version=1, seats=2, policy="quick", matches=10, low=(0, 0.2, 0.4, 0.6, 0.8, 1),
    high=(0.5, 0.6, 0.7, 0.8, 0.9, 1.4), extra=0.01,
)  # fmt: skip


def table_of(name: str, seats: int) -> PositionEstimateCalibration:
    """Return the stored reliability of a game's values by its default policy."""
    return reliability_of(name, game(name).version, seats, policy_for(name).name)


def test_the_calibration_of_estimates_is_interpolated_between_the_measured_stages_of_a_match() -> None:
    assert [float(MEASURED.at(Fraction(part, 8)).low) for part in range(5)] == [0, 0.1, 0.2, 0.3, 0.4]
    assert float(MEASURED.at(Fraction(1)).low) == 1


def test_calibrated_intervals_contain_the_expected_results_for_both_extreme_slopes_of_the_calibration() -> None:
    for part in range(11):
        reliability, share, margin = MEASURED.at(Fraction(part, 10)), Fraction(9, 10), Fraction(1, 20)
        centre, width = reliability.share(share), reliability.margin(share - HALF, margin)
        for slope in (reliability.low, reliability.high):
            assert abs(HALF + slope * (share - HALF) - centre) <= width - reliability.slope * margin
        assert 0 <= centre <= 1


def test_an_uncalibrated_estimate_of_a_certain_win_gets_the_interval_from_one_half_to_one() -> None:
    unknown = unknown_reliability("pig", 1, 2, "hold20").at(HALF)
    centre, width = unknown.share(Fraction(1)), unknown.margin(HALF, Fraction(0))
    assert (centre - width, centre + width) == (HALF, Fraction(1))


def test_a_match_review_has_no_uncertainty_about_the_result_of_a_finished_match() -> None:
    assert stage_reliabilities(MEASURED, [False, False, True])[-1] == CERTAIN
    assert CERTAIN.share(Fraction(1, 3)) == Fraction(1, 3)


def test_calibrated_expected_results_of_all_seats_add_up_to_half_the_number_of_seats() -> None:
    found = review_of(log_of("for_the_king", 3), 4, options=False)
    assert all(sum(map(Fraction, point.shares)) == Fraction(3, 2) for point in found.curve)


def test_the_luckiest_draw_of_a_match_is_the_largest_gain_of_a_player_by_the_deal_or_by_chance() -> None:
    found = review_of(log_of("pig", 2), 60, options=False)
    assert found.luckiest
    gains = [Fraction(point.swing) for point in found.turning_points if point.by == "chance"]
    assert Fraction(found.luckiest.swing) == max(map(abs, gains))
    assert found.luckiest.by == "chance"
    assert found.luckiest.sure == (Fraction(found.luckiest.swing) > Fraction(found.luckiest.margin))


def test_a_turning_point_is_marked_as_certain_exactly_if_the_interval_of_its_change_excludes_zero() -> None:
    points = review_of(log_of("pig", 2), 60, options=False).turning_points
    assert {point.sure for point in points} == {True, False}
    for point in points:
        assert point.sure == (abs(Fraction(point.swing)) > Fraction(point.margin))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_review_values_of_every_game_are_calibrated_for_every_number_of_players(name: str, seats: int) -> None:
    assert table_of(name, seats).matches > 0


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_in_each_tenth_of_the_estimates_the_mean_result_of_held_out_matches_fits_the_calibrated_interval(
    name: str, seats: int
) -> None:
    for tenth in table_of(name, seats).tenths:
        outside = abs(tenth.result - tenth.value) - tenth.margin
        assert outside <= 2 * tenth.error, tenth


def test_the_fitted_calibration_slopes_range_from_the_least_to_the_most_accurately_estimated_bots() -> None:
    """For one mix of bots the estimates are exact; for the other, results are half as far from 1/2 as estimated."""
    samples = [
        CalibrationSample(mix, match, match % 11 / 10, value, 0.05, 0.5 + slope * (value - 0.5))
        for mix, slope in (("right", 1.0), ("half", 0.5))
        for match in range(110)
        for value in (0.02, 0.3, 0.7, 0.98)
    ]
    fitted = fit_reliability(samples, unknown_reliability("pig", 1, 2, "quick"))
    assert {*fitted.low} == {0.5}
    assert {*fitted.high} == {1.0}
    assert all(tenth.holds for tenth in list_tenths(samples, fitted))


@pytest.mark.skipif(not can_build(), reason="no C++ compiler")
def test_collecting_calibration_samples_twice_gives_the_same_samples() -> None:
    with enable_native_rules():
        first, again = (list(collect_samples("pig", 2, "search", 3)) for _ in range(2))
    assert first == again
    assert {sample.match for sample in first} == {0, 1, 2}


def test_the_calibration_table_has_one_entry_per_game_and_rules_version_and_seat_count_and_policy() -> None:
    keys = [(one.game, one.version, one.seats, one.policy) for one in read_reliabilities()]
    assert len(keys) == len(set(keys))
