"""The spread of a field is estimated from its matches, so intervals are valid in wide and narrow fields."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ftk_core.league.court_rating import (
    BotRatingFit,
    MatchArrays,
    PriorSigmas,
    fit_ratings,
    rating_prior_estimation,
)
from ftk_core.league.court_rating.first_version_prior import SPREADS
from ftk_core.league.court_rating.likelihood import log_likelihood, log_likelihood_gradient
from ftk_core.league.court_rating.match_arrays import layout_of
from ftk_core.league.court_rating.newton_method import write_curvature
from ftk_core.league.court_rating.posterior_skewness_correction import mean_shift_of
from ftk_core.league.court_rating.rating_fit import POINTS_PER_STRENGTH
from tests.support.court import (
    ALL,
    BOTS,
    FIELDS,
    NONE_BEFORE,
    WORLDS,
    Floats,
    assert_intervals_hold,
    draw_places,
    draw_schedule,
    draw_strengths,
    measure_coverage,
)
from tests.support.orders import ORDERS


def world(field: str, games: int, size: int, number: int = 0, step: float = 0) -> tuple[Floats, MatchArrays]:
    draw = np.random.default_rng(1000 * games + 10 * number + size)
    strength, seats = draw_strengths(draw, field), draw.normal(0, 0.3, size)
    tables = draw_schedule(draw, games, size)
    return strength, MatchArrays(tables, draw_places(draw, strength, tables, seats, step))


def shares_held(field: str, games: int, size: int, worlds: int) -> list[float]:
    """Return, for each world, the share of bots whose interval contains their strength."""
    shares = []
    for number in range(worlds):
        strength, played = world(field, games, size, number)
        shares.append(measure_coverage(fit_ratings([played], NONE_BEFORE), strength))
    return shares


@pytest.mark.nightly
@pytest.mark.parametrize("size", [2, 4, 6, 8] if ALL else [2, 8])
@pytest.mark.parametrize("games", [7, 20, 100] if ALL else [7, 20])
@pytest.mark.parametrize("field", sorted(FIELDS) if ALL else ["400", "heavy"])
def test_95_percent_rating_intervals_cover_the_true_strength_whether_bots_differ_little_or_much(
    field: str, games: int, size: int
) -> None:
    assert_intervals_hold(shares_held(field, games, size, WORLDS))


@pytest.mark.slow
@pytest.mark.parametrize("field", ["100", "400"])
def test_at_least_88_percent_of_rating_intervals_hold_in_a_short_simulation(field: str) -> None:
    assert_intervals_hold(shares_held(field, 7, 4, 4), low=0.88, high=1.0)


@pytest.mark.slow
def test_a_prior_fitted_to_large_strength_differences_gives_better_rating_intervals_than_the_default() -> None:
    strength, played = world("400", 20, 4)
    assert (
        measure_coverage(fit_ratings([played], NONE_BEFORE, PriorSigmas()), strength)
        < 0.8
        < measure_coverage(fit_ratings([played], NONE_BEFORE), strength)
    )


@pytest.mark.parametrize("field", ["100", "400"])
def test_in_a_large_field_the_learnt_prior_does_not_depend_on_where_the_fit_starts(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_prior_estimation, "MAX_VERSIONS_FOR_FULL_DETERMINANT", BOTS - 1)
    played = [world(field, 20, 4)[1]]
    optimum_of_default_prior = fit_ratings(played, NONE_BEFORE, PriorSigmas()).x
    learnt = [fit_ratings(played, NONE_BEFORE, start=start).prior.first for start in (None, optimum_of_default_prior)]
    assert learnt[0] == learnt[1] != PriorSigmas().first


@pytest.mark.slow
@pytest.mark.parametrize(("field", "points"), [("100", 100), ("174", 174), ("400", 400)])
def test_the_prior_standard_deviation_is_estimated_from_the_differences_between_bots(field: str, points: float) -> None:
    found = [
        fit_ratings([world(field, 20, 4, number)[1]], NONE_BEFORE).prior.first * POINTS_PER_STRENGTH
        for number in range(6)
    ]
    assert points / 1.3 <= math.exp(float(np.mean(np.log(found)))) <= points * 1.3


def test_a_given_rating_prior_is_kept_and_too_few_matches_leave_the_default_prior() -> None:
    few = [MatchArrays(np.array([[0, 1], [1, 2]]), np.array([[1, 2], [1, 2]]))]
    assert fit_ratings(few, np.full(3, -1)).prior == PriorSigmas()
    assert fit_ratings([], np.full(3, -1)).prior == PriorSigmas()
    kept = fit_ratings([world("400", 20, 4)[1]], NONE_BEFORE, PriorSigmas(first=0.8))
    assert (kept.prior, kept.others) == (PriorSigmas(first=0.8), ())


def test_the_rating_interval_of_a_bot_that_always_won_extends_further_up_than_down() -> None:
    tables = np.array([[0, 1], [0, 2], [1, 2], [2, 1]] * 8)
    best = fit_ratings([MatchArrays(tables, np.array([[1, 2]] * len(tables)))], np.full(3, -1)).rated(0)
    assert best.high - best.rating > best.rating - best.low


def test_rating_intervals_include_the_uncertainty_of_the_estimated_prior() -> None:
    court = fit_ratings([world("174", 7, 2)[1]], NONE_BEFORE)
    assert court.others
    assert all(other.prior.first in SPREADS and 0.01 <= likely <= 1 for likely, other in court.others)
    assert float(np.trace(court.belief[1])) > float(np.trace(court.covariance))


def rated(court: BotRatingFit) -> list[object]:
    return [court.rated(bot) for bot in range(BOTS)]


@pytest.mark.slow
def test_the_estimated_prior_and_ratings_do_not_depend_on_match_order_or_starting_point() -> None:
    _, played = world("400", 7, 4, step=0.5)
    first, draw = fit_ratings([played], NONE_BEFORE), np.random.default_rng(3)
    for _ in range(min(ORDERS, 2)):
        order = draw.permutation(len(played.versions))
        again = fit_ratings([MatchArrays(played.versions[order], played.places[order])], NONE_BEFORE)
        assert (again.prior, rated(again)) == (first.prior, rated(first))
    warm = fit_ratings([played], NONE_BEFORE, start=draw.normal(0, 2, len(first.x)))
    assert (warm.prior, rated(warm)) == (first.prior, rated(first))


@pytest.mark.parametrize("step", [0, 0.7])
def test_the_difference_of_posterior_mean_and_mode_equals_the_gradient_of_the_log_determinant(step: float) -> None:
    """A narrow prior fixes the tie parameters, so that they do not contribute to the determinant."""
    _, played = world("174", 5, 4, step=step)
    court = fit_ratings([played], NONE_BEFORE, PriorSigmas(tie=1e-4))
    size = len(court.x)

    def half_log_determinant(x: Floats) -> float:
        curved = np.zeros((size, size))
        write_curvature(court.layout.portions, court.believed.precision, x, BOTS, curved)
        return float(np.linalg.slogdet(np.tril(curved) + np.tril(curved, -1).T)[1]) / 2

    steps = np.eye(size)[:BOTS] * 1e-5
    numeric = [(half_log_determinant(court.x - one) - half_log_determinant(court.x + one)) / 2e-5 for one in steps]
    shift = mean_shift_of(court.layout.portions, court.x, court.covariance)
    gradient = np.linalg.solve(court.covariance, shift)
    assert np.allclose(gradient[:BOTS], numeric, atol=1e-4)


@pytest.mark.parametrize("step", [0, 0.7])
def test_the_gradient_equals_the_numerical_derivative_of_the_log_likelihood(step: float) -> None:
    _, played = world("174", 5, 4, step=step)
    layout = layout_of([played], BOTS)
    x = np.random.default_rng(2).normal(0, 0.5, layout.size)
    steps = np.eye(layout.size) * 1e-6
    numeric = [
        (log_likelihood(layout.portions, x + one) - log_likelihood(layout.portions, x - one)) / 2e-6 for one in steps
    ]
    assert np.allclose(log_likelihood_gradient(layout.portions, x), numeric, atol=1e-5)


@pytest.mark.parametrize("first", [5.6, 50.0])
def test_the_fit_converges_under_a_wide_prior_with_a_bot_that_always_wins(first: float) -> None:
    tables = np.array([[one, other] for one in range(8) for other in range(one + 1, 8)])
    court = fit_ratings(
        [MatchArrays(tables, np.tile([1, 2], (len(tables), 1)))], np.full(8, -1), PriorSigmas(first=first)
    )
    assert court.bound < 1e-6
    assert list(np.argsort(-court.x[:8])) == list(range(8))
