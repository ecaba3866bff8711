"""The published digits of a court rating do not depend on the order of the matches or on the start of the fit."""

from __future__ import annotations

import numpy as np
import pytest

from ftk_core.league.court_rating import MatchArrays, PriorSigmas, VersionRating, fit_ratings
from ftk_core.league.court_rating.likelihood import Floats
from tests.support.orders import ORDERS

BOTS = 8
NONE_BEFORE = np.full(BOTS, -1)


def matches(seed: int, count: int, size: int = 3, roles: tuple[int, ...] = ()) -> MatchArrays:
    """Return matches that are tied now and then, in which the first bots are the best."""
    draw = np.random.default_rng(seed)
    tables = np.array([draw.permutation(BOTS)[:size] for _ in range(count)])
    luck = np.round(-tables / 2 + draw.gumbel(size=tables.shape))
    return MatchArrays(tables, 1 + (luck[:, :, None] < luck[:, None, :]).sum(axis=2), roles)


def test_a_bot_with_a_hundred_and_forty_versions_is_rated() -> None:
    versions, draw = 140, np.random.default_rng(1)
    tables = np.array([draw.permutation((0, 1 + version)) for version in range(versions) for _ in range(20)])
    luck = draw.gumbel(size=tables.shape) + np.where(tables == 0, -1.5, 0)
    played = MatchArrays(tables, 1 + (luck[:, :, None] < luck[:, None, :]).sum(axis=2))
    court = fit_ratings([played], np.array([-1, -1, *range(1, versions)]), PriorSigmas(first=1.0, later=0.01))
    assert court.bound < 0.001
    assert court.rated(0).rating < 1300


def rate(played: list[MatchArrays], start: Floats | None = None) -> list[VersionRating]:
    court = fit_ratings(played, NONE_BEFORE, start=start)
    return [court.rated(bot) for bot in range(BOTS)]


@pytest.mark.nightly
def test_matches_of_several_table_sizes_give_identical_ratings_in_any_order_and_from_any_starting_point() -> None:
    larger, smaller, draw = matches(5, 60), matches(6, 30, size=2, roles=(0, 1)), np.random.default_rng(1)
    first = rate([larger, smaller])
    assert first[0].rating > first[7].rating
    for _ in range(ORDERS):
        order = draw.permutation(len(larger.versions))
        assert rate([smaller, MatchArrays(larger.versions[order], larger.places[order])]) == first
    size = len(fit_ratings([larger, smaller], NONE_BEFORE).x)
    for _ in range(20):
        assert rate([larger, smaller], draw.normal(0, 1, size)) == first


@pytest.mark.slow
def test_bots_without_matches_have_the_mean_rating() -> None:
    assert fit_ratings([], np.full(2, -1)).rated(0).rating == 1500
    court = fit_ratings([MatchArrays(np.array([[0, 1]]), np.array([[1, 2]]))], np.full(3, -1))
    best, worst, idle = (court.rated(bot).rating for bot in range(3))
    assert best > idle == 1500 > worst
