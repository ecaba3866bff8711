"""The digits of a court rating are those of the exact optimum, whoever fits it and however near the edge they lie."""

from __future__ import annotations

from dataclasses import replace
from decimal import Context, Decimal, localcontext

import numpy as np
import pytest

from ftk_core.league.court import Court, Played, fit, hundredths, rate_league
from ftk_core.league.court.digits import PLACES, exact_slope
from ftk_core.league.court.likelihood import slope
from tests.support.orders import ORDERS

BOTS = 8
NONE_BEFORE = np.full(BOTS, -1)


def matches(seed: int, count: int, size: int = 3, roles: tuple[int, ...] = ()) -> Played:
    """Return matches that are tied now and then, in which the first bots are the best."""
    draw = np.random.default_rng(seed)
    tables = np.array([draw.permutation(BOTS)[:size] for _ in range(count)])
    luck = np.round(-tables / 2 + draw.gumbel(size=tables.shape))
    return Played(tables, 1 + (luck[:, :, None] < luck[:, None, :]).sum(axis=2), roles)


def fitted(seed: int = 1) -> Court:
    return fit([matches(seed, 40), matches(seed + 1, 30, size=2, roles=(0, 1))], NONE_BEFORE)


def test_the_exact_slope_is_the_slope_with_ties_seats_and_roles() -> None:
    court = fitted()
    with localcontext(Context(prec=PLACES)):
        exact = exact_slope(court, [Decimal(value) for value in (court.x + 0.1).tolist()])
    floats = slope(court.layout.portions, court.x + 0.1) - court.believed.precision @ (court.x + 0.1)
    assert np.allclose([float(value) for value in exact], floats, atol=1e-10)


def test_a_fit_that_knows_less_is_bettered_until_no_digit_is_open() -> None:
    court = fitted()
    plain = [round(100 * court.rated(bot).rating) for bot in range(BOTS)]
    assert hundredths(court) == plain
    assert hundredths(court, bound=1.0) == plain, "a whole point leaves every digit open"


def test_wherever_a_fit_stopped_within_its_bound_the_digits_are_the_same() -> None:
    court = fitted()
    whole = hundredths(court)
    for side in (-1, 1):
        moved = court.x + side * np.array([1e-3, -1e-3] * (len(court.x) // 2) + [0] * (len(court.x) % 2))
        astray = replace(court, x=moved, bound=1.0)
        assert hundredths(astray) == whole


@pytest.mark.slow
def test_a_league_has_the_same_digits_in_all_orders_and_from_any_beginning() -> None:
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
        again = fit([matches(1, 40), matches(2, 30, size=2, roles=(0, 1))], NONE_BEFORE, start=start)
        assert hundredths(again) == hundredths(fitted())


def test_entrants_who_have_not_played_have_the_mean() -> None:
    assert rate_league([4, 9], []) == {4: 150_000, 9: 150_000}
    assert set(rate_league([4, 9, 11], [([4, 9], [1, 2])])) == {4, 9, 11}
