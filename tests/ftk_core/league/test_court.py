"""The court rating: calibrated intervals, and the same digits for the same matches."""

from __future__ import annotations

import numpy as np
import pytest

from ftk_core.league.court_rating import MatchArrays, PriorSigmas, fit_ratings
from ftk_core.league.court_rating.likelihood import log_likelihood_gradient
from ftk_core.league.court_rating.likelihood_hessian import add_curvature
from ftk_core.league.court_rating.match_arrays import layout_of
from ftk_core.league.court_rating.rating_fit import POINTS_PER_STRENGTH
from tests.support.court import (
    ALL,
    BOTS,
    NONE_BEFORE,
    WORLDS,
    Floats,
    assert_intervals_hold,
    draw_places,
    draw_schedule,
    measure_coverage,
    simulate_changing_bots,
)


def world(seed: int, games: int, size: int, step: float = 0) -> tuple[Floats, Floats, MatchArrays]:
    draw = np.random.default_rng(seed)
    strength, seats = draw.normal(0, 1, BOTS), draw.normal(0, 0.3, size)
    tables = draw_schedule(draw, games, size)
    return strength, seats, MatchArrays(tables, draw_places(draw, strength, tables, seats, step))


@pytest.mark.nightly
@pytest.mark.parametrize("size", [2, 4, 6, 8] if ALL else [2, 8])
@pytest.mark.parametrize("games", [7, 20, 50, 100, 300] if ALL else [7, 50])
def test_95_percent_rating_intervals_cover_the_true_strength_95_times_in_100(games: int, size: int) -> None:
    shares = []
    for number in range(WORLDS):
        strength, _, played = world(1000 * games + 10 * number + size, games, size)
        shares.append(measure_coverage(fit_ratings([played], NONE_BEFORE, PriorSigmas(seat=0.3)), strength))
    assert_intervals_hold(shares)


def held_of_changing(games: int, size: int, step: float) -> list[float]:
    """Return, for each world, the share of versions whose interval contains their strength."""
    shares = []
    for number in range(WORLDS):
        world = simulate_changing_bots(np.random.default_rng(number), games, size, versions=3, step=step)
        court, truth = fit_ratings([world.played], world.before), np.concatenate(world.strengths)
        rated = [court.rated(version) for version in range(len(truth))]
        true = (truth - truth.mean()) * POINTS_PER_STRENGTH + 1500
        shares.append(float(np.mean([one.low < value < one.high for one, value in zip(rated, true, strict=True)])))
    return shares


@pytest.mark.nightly
@pytest.mark.parametrize("step", [0.2, 0.5, 1.0])
@pytest.mark.parametrize(("games", "size"), [(20, 2), (7, 4), (20, 4), (50, 6)] if ALL else [(7, 4)])
def test_95_percent_rating_intervals_hold_whether_bot_versions_differ_little_or_much(
    games: int, size: int, step: float
) -> None:
    """If versions hardly change, few matches do not show how much they change, and intervals are too wide."""
    assert_intervals_hold(held_of_changing(games, size, step), high=0.98 if step < 0.5 else 0.97)


@pytest.mark.nightly
@pytest.mark.parametrize(("step", "least"), [(0.2, 0.93), (0.5, 0.93), (1.0, 0.91)])
def test_95_percent_rating_intervals_cover_91_percent_of_true_strengths_after_only_seven_two_player_matches(
    step: float, least: float
) -> None:
    """If versions change twice as much as usual (step 1.0), intervals are slightly too narrow."""
    assert_intervals_hold(held_of_changing(7, 2, step), low=least)


@pytest.mark.slow
def test_two_fits_from_different_starting_points_differ_by_at_most_their_error_bounds() -> None:
    _, _, played = world(3, 50, 6, step=0.4)
    court = fit_ratings([played], NONE_BEFORE)
    assert court.bound < 1e-6
    elsewhere = fit_ratings([played], NONE_BEFORE, start=np.random.default_rng(1).normal(0, 1, len(court.x)))
    assert float(np.abs(court.x - elsewhere.x).max()) * 174 <= court.bound + elsewhere.bound


@pytest.mark.parametrize("step", [0, 0.7])
def test_the_hessian_equals_the_numerical_derivative_of_the_gradient(step: float) -> None:
    _, _, played = world(4, 5, 4, step=step)
    layout = layout_of([played], BOTS)
    x = np.random.default_rng(2).normal(0, 0.5, layout.size)
    curved = np.zeros((layout.size, layout.size))
    add_curvature(layout.portions, x, BOTS, curved)
    steps = np.eye(layout.size) * 1e-6
    numeric = [
        (log_likelihood_gradient(layout.portions, x + one) - log_likelihood_gradient(layout.portions, x - one)) / 2e-6
        for one in steps
    ]
    assert np.allclose(np.tril(curved), np.tril(-np.array(numeric)), atol=1e-6)


def test_places_shared_in_every_match_do_not_distort_the_ratings() -> None:
    """All losers share the second place, so each match tells only its winner."""
    draw = np.random.default_rng(7)
    strength, tables = draw.normal(0, 1, BOTS), draw_schedule(draw, 200, 4)
    places = np.minimum(draw_places(draw, strength, tables, np.zeros(4)), 2)
    court = fit_ratings([MatchArrays(tables, places)], NONE_BEFORE)
    assert measure_coverage(court, strength) >= 0.8
    assert float(np.corrcoef(court.x[:BOTS], strength)[0, 1]) > 0.95


def test_a_new_version_without_matches_has_the_rating_of_its_predecessor_with_a_wider_interval() -> None:
    tables = np.array([[0, 1]] * 30)
    court = fit_ratings([MatchArrays(tables, np.array([[1, 2]] * 25 + [[2, 1]] * 5))], np.array([-1, -1, 0]))
    assert court.rated(2).rating == pytest.approx(court.rated(0).rating, abs=0.02)
    assert court.rated(2).high - court.rated(2).low > court.rated(0).high - court.rated(0).low
    assert court.superiority(0, 1) > 0.9
    assert court.superiority(0, 1) + court.superiority(1, 0) == pytest.approx(1, abs=2e-4)


def test_fitting_ratings_marks_unplayed_bots_as_provisional_and_estimates_the_advantage_of_each_seat() -> None:
    _, seats, played = world(8, 300, 4)
    court = fit_ratings([played], np.append(NONE_BEFORE, -1))
    assert court.rated(BOTS).provisional
    assert not court.rated(0).provisional
    found = np.array([court.seat(4, seat).rating for seat in range(4)])
    assert np.allclose(found - found.mean(), (seats - seats.mean()) * 173.7, atol=30)


def test_the_rating_fit_refuses_malformed_match_arrays() -> None:
    with pytest.raises(ValueError, match="are no matches"):
        MatchArrays(np.zeros((3, 4), dtype=np.int64), np.zeros((3, 3), dtype=np.int64))
