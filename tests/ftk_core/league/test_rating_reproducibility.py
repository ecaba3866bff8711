"""The published digits of a court rating are those of the exact optimum, whatever fit they come from."""

from __future__ import annotations

from dataclasses import replace
from decimal import Context, Decimal, localcontext

import numpy as np
import pytest

from ftk_core.league.court_rating import BotRatingFit, MatchArrays, fit_ratings, rate_league, ratings_in_hundredths
from ftk_core.league.court_rating.exact_rounding import DECIMAL_DIGITS, exact_gradient
from ftk_core.league.court_rating.likelihood import log_likelihood_gradient
from ftk_core.league.court_rating.rating_priors import PriorSigmas
from tests.support.orders import ORDERS

BOTS = 8
NONE_BEFORE = np.full(BOTS, -1)


def matches(seed: int, count: int, size: int = 3, roles: tuple[int, ...] = ()) -> MatchArrays:
    """Return matches that are tied now and then, in which the first bots are the best."""
    draw = np.random.default_rng(seed)
    tables = np.array([draw.permutation(BOTS)[:size] for _ in range(count)])
    luck = np.round(-tables / 2 + draw.gumbel(size=tables.shape))
    return MatchArrays(tables, 1 + (luck[:, :, None] < luck[:, None, :]).sum(axis=2), roles)


def fitted(seed: int = 1) -> BotRatingFit:
    return fit_ratings([matches(seed, 40), matches(seed + 1, 30, size=2, roles=(0, 1))], NONE_BEFORE)


def test_the_gradient_in_exact_arithmetic_equals_the_floating_point_gradient() -> None:
    court = fitted()
    with localcontext(Context(prec=DECIMAL_DIGITS)):
        exact = exact_gradient(court, [Decimal(value) for value in (court.x + 0.1).tolist()])
    floats = log_likelihood_gradient(court.layout.portions, court.x + 0.1) - court.believed.precision @ (court.x + 0.1)
    assert np.allclose([float(value) for value in exact], floats, atol=1e-10)


def test_a_fit_with_a_large_error_bound_is_refined_until_every_digit_is_certain() -> None:
    court = fitted()
    plain = [round(100 * court.rated(bot).rating) for bot in range(BOTS)]
    assert ratings_in_hundredths(court) == plain
    assert ratings_in_hundredths(court, bound=1.0) == plain, "a whole point leaves every digit open"


def test_published_ratings_do_not_depend_on_where_a_fit_stops_within_its_error_bound() -> None:
    court = fitted()
    whole = ratings_in_hundredths(court)
    for side in (-1, 1):
        moved = court.x + side * np.array([1e-3, -1e-3] * (len(court.x) // 2) + [0] * (len(court.x) % 2))
        astray = replace(court, x=moved, bound=1.0)
        assert ratings_in_hundredths(astray) == whole


def test_a_bot_with_a_hundred_and_forty_versions_is_rated() -> None:
    versions, draw = 140, np.random.default_rng(1)
    tables = np.array([draw.permutation((0, 1 + version)) for version in range(versions) for _ in range(20)])
    luck = draw.gumbel(size=tables.shape) + np.where(tables == 0, -1.5, 0)
    played = MatchArrays(tables, 1 + (luck[:, :, None] < luck[:, None, :]).sum(axis=2))
    court = fit_ratings([played], np.array([-1, -1, *range(1, versions)]), PriorSigmas(first=1.0, later=0.01))
    assert court.bound < 0.001
    assert ratings_in_hundredths(court)[0] < 130_000


@pytest.mark.nightly
def test_the_ratings_of_a_league_are_identical_in_any_match_order_and_from_any_starting_point() -> None:
    played = matches(5, 60)
    results = [(row.tolist(), places.tolist()) for row, places in zip(played.versions, played.places, strict=True)]
    results += [([1, 2], [1, 2]), ([2, 7], [1, 1])]
    first, draw = rate_league(range(BOTS), results), np.random.default_rng(1)
    for _ in range(ORDERS):
        assert rate_league(range(BOTS), [results[at] for at in draw.permutation(len(results))]) == first
    assert list(first) == list(range(BOTS))
    assert first[0] > first[7]
    for seed in range(20):
        start = np.random.default_rng(seed).normal(0, 1, len(fitted().x))
        again = fit_ratings([matches(1, 40), matches(2, 30, size=2, roles=(0, 1))], NONE_BEFORE, start=start)
        assert ratings_in_hundredths(again) == ratings_in_hundredths(fitted())


def test_entries_without_matches_have_the_mean_rating() -> None:
    assert rate_league([4, 9], []) == {4: 150_000, 9: 150_000}
    ratings = rate_league([4, 9, 11], [([4, 9], [1, 2])])
    assert ratings[4] > ratings[11] == 150_000 > ratings[9]
