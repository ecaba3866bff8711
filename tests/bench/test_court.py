"""Time to fit all court ratings and their errors."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from ftk_core.league.court_rating import BotRatingFit, MatchArrays, fit_ratings
from tools.bench.workload_speed_comparison import BenchmarkResult

MATCHES, VERSIONS, SEATS = 1_000_000, 5_000, 4


@pytest.fixture(scope="module")
def played() -> MatchArrays:
    draw = np.random.default_rng(1)
    strength = draw.normal(0, 1, VERSIONS)
    tables = draw.integers(0, VERSIONS, (MATCHES, SEATS))
    luck = strength[tables] + draw.gumbel(size=tables.shape)
    return MatchArrays(tables, 1 + (-luck).argsort(axis=1).argsort(axis=1))


def noted(figures: list[BenchmarkResult], name: str, took: float, wanted: float) -> None:
    figures.append(BenchmarkResult(f"{name}, per s", 1 / took, 1 / wanted, wanted / took, "what is wanted", ">= 1"))


def test_ratings_of_5000_bot_versions_are_fitted_to_a_million_matches_in_seconds(
    figures: list[BenchmarkResult], played: MatchArrays
) -> None:
    started = perf_counter()
    court: BotRatingFit = fit_ratings([played], np.full(VERSIONS, -1))
    noted(figures, "refit of 1,000,000 matches of 5,000 versions", perf_counter() - started, 5)
    assert court.bound < 1e-6
    started = perf_counter()
    assert not court.rated(0).provisional
    noted(figures, "their 95 % intervals", perf_counter() - started, 5)


def test_ratings_of_1250_bots_with_four_versions_each_are_fitted_to_a_million_matches_in_seconds(
    figures: list[BenchmarkResult], played: MatchArrays
) -> None:
    bots = VERSIONS // 4
    before = np.concatenate([np.full(bots, -1), np.arange(VERSIONS - bots)])
    started = perf_counter()
    court = fit_ratings([played], before)
    noted(figures, "the same with the width learnt", perf_counter() - started, 5)
    assert court.prior.later > 1, "versions differ as if they were of different bots"
    assert court.bound < 1e-6
