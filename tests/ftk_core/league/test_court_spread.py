"""The spread of a field is learnt from its matches, so that intervals are as true in wide fields as in narrow ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ftk_core.league.court import Court, Played, Prior, fit
from ftk_core.league.court.fitting import POINT
from ftk_core.league.court.likelihood import log_likelihood, slope
from ftk_core.league.court.newton import curve
from ftk_core.league.court.played import laid_out
from ftk_core.league.court.skewness import shift_of
from ftk_core.league.court.spread import SPREADS
from tests.support.court import (
    BOTS,
    FIELDS,
    NONE_BEFORE,
    WORLDS,
    Floats,
    assert_intervals_hold,
    field_of,
    held,
    placed,
    schedule,
)
from tests.support.orders import ORDERS


def world(field: str, games: int, size: int, number: int = 0, step: float = 0) -> tuple[Floats, Played]:
    draw = np.random.default_rng(1000 * games + 10 * number + size)
    strength, seats = field_of(draw, field), draw.normal(0, 0.3, size)
    tables = schedule(draw, games, size)
    return strength, Played(tables, placed(draw, strength, tables, seats, step))


def shares_held(field: str, games: int, size: int, worlds: int) -> list[float]:
    """Return the share of bots within their interval in each of some worlds."""
    shares = []
    for number in range(worlds):
        strength, played = world(field, games, size, number)
        shares.append(held(fit([played], NONE_BEFORE), strength))
    return shares


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 4, 6, 8])
@pytest.mark.parametrize("games", [7, 20, 100])
@pytest.mark.parametrize("field", sorted(FIELDS))
def test_95_percent_intervals_hold_the_truth_in_narrow_and_wide_fields(field: str, games: int, size: int) -> None:
    assert_intervals_hold(shares_held(field, games, size, WORLDS))


@pytest.mark.parametrize("field", ["100", "400"])
def test_in_a_few_worlds_intervals_hold_the_truth_about_as_often(field: str) -> None:
    assert_intervals_hold(shares_held(field, 7, 4, 4), low=0.88, high=1.0)


def test_with_the_usual_spread_wide_fields_would_have_untrue_intervals() -> None:
    strength, played = world("400", 20, 4)
    assert held(fit([played], NONE_BEFORE, Prior()), strength) < 0.8 < held(fit([played], NONE_BEFORE), strength)


@pytest.mark.parametrize(("field", "points"), [("100", 100), ("174", 174), ("400", 400)])
def test_the_spread_is_learnt_from_how_far_bots_are_apart(field: str, points: float) -> None:
    found = [fit([world(field, 20, 4, number)[1]], NONE_BEFORE).prior.first * POINT for number in range(6)]
    assert points / 1.3 <= math.exp(float(np.mean(np.log(found)))) <= points * 1.3


def test_a_tiny_field_has_the_usual_spread_and_a_prior_that_is_given_is_kept() -> None:
    few = [Played(np.array([[0, 1], [1, 2]]), np.array([[1, 2], [1, 2]]))]
    assert fit(few, np.full(3, -1)).prior == Prior()
    assert fit([], np.full(3, -1)).prior == Prior()
    kept = fit([world("400", 20, 4)[1]], NONE_BEFORE, Prior(first=0.8))
    assert (kept.prior, kept.others) == (Prior(first=0.8), ())


def test_a_bot_that_always_won_may_be_far_ahead_but_not_far_behind() -> None:
    tables = np.array([[0, 1], [0, 2], [1, 2], [2, 1]] * 8)
    best = fit([Played(tables, np.array([[1, 2]] * len(tables)))], np.full(3, -1)).rated(0)
    assert best.high - best.rating > best.rating - best.low


def test_intervals_take_other_likely_spreads_into_account() -> None:
    court = fit([world("174", 7, 2)[1]], NONE_BEFORE)
    assert court.others
    assert all(other.prior.first in SPREADS and 0.01 <= likely <= 1 for likely, other in court.others)
    assert float(np.trace(court.belief[1])) > float(np.trace(court.covariance))


def rated(court: Court) -> list[object]:
    return [court.rated(bot) for bot in range(BOTS)]


def test_the_same_matches_give_the_same_spread_and_digits_in_all_orders_and_from_any_start() -> None:
    _, played = world("400", 7, 4, step=0.5)
    first, draw = fit([played], NONE_BEFORE), np.random.default_rng(3)
    for _ in range(min(ORDERS, 2)):
        order = draw.permutation(len(played.versions))
        again = fit([Played(played.versions[order], played.places[order])], NONE_BEFORE)
        assert (again.prior, rated(again)) == (first.prior, rated(first))
    warm = fit([played], NONE_BEFORE, start=draw.normal(0, 2, len(first.x)))
    assert (warm.prior, rated(warm)) == (first.prior, rated(first))


@pytest.mark.parametrize("step", [0, 0.7])
def test_the_mean_lies_off_the_mode_by_the_slope_of_the_determinant(step: float) -> None:
    """Ties are taken as known: the determinant's part that comes from their parameters is left out by a sharp prior."""
    _, played = world("174", 5, 4, step=step)
    court = fit([played], NONE_BEFORE, Prior(tie=1e-4))
    size = len(court.x)

    def half_log_determinant(x: Floats) -> float:
        curved = np.zeros((size, size))
        curve(court.layout.portions, court.believed.precision, x, BOTS, curved)
        return float(np.linalg.slogdet(np.tril(curved) + np.tril(curved, -1).T)[1]) / 2

    steps = np.eye(size)[:BOTS] * 1e-5
    numeric = [(half_log_determinant(court.x - one) - half_log_determinant(court.x + one)) / 2e-5 for one in steps]
    shift = shift_of(court.layout.portions, court.x, court.covariance)
    gradient = np.linalg.solve(court.covariance, shift)
    assert np.allclose(gradient[:BOTS], numeric, atol=1e-4)


@pytest.mark.parametrize("step", [0, 0.7])
def test_the_slope_is_that_of_the_log_likelihood(step: float) -> None:
    _, played = world("174", 5, 4, step=step)
    layout = laid_out([played], BOTS)
    x = np.random.default_rng(2).normal(0, 0.5, layout.size)
    steps = np.eye(layout.size) * 1e-6
    numeric = [
        (log_likelihood(layout.portions, x + one) - log_likelihood(layout.portions, x - one)) / 2e-6 for one in steps
    ]
    assert np.allclose(slope(layout.portions, x), numeric, atol=1e-5)


@pytest.mark.parametrize("first", [5.6, 50.0])
def test_the_fit_comes_to_rest_under_a_wide_prior_where_somebody_always_wins(first: float) -> None:
    tables = np.array([[one, other] for one in range(8) for other in range(one + 1, 8)])
    court = fit([Played(tables, np.tile([1, 2], (len(tables), 1)))], np.full(8, -1), Prior(first=first))
    assert court.bound < 1e-6
    assert list(np.argsort(-court.x[:8])) == list(range(8))
