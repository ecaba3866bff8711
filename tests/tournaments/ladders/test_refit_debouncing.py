"""Debouncing of court fits: ladders with slow fits are refitted less often."""

from __future__ import annotations

import time

import pytest

from bots.models import BotVersion
from tests.support.ladders import NAMES, create_bot, draw_results, rate_results
from tournaments.ladders import fitted_ladder_ratings


def test_court_ratings_are_not_fitted_again_before_the_next_fit_time_of_their_ladder(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    field: list[BotVersion] = [create_bot(slug) for slug in NAMES]
    monkeypatch.setattr(fitted_ladder_ratings, "_next_fit_times", {})
    rate_results(draw_results(5, field))
    began = time.monotonic()
    assert fitted_ladder_ratings.refit_due("pig") == 2
    ended = time.monotonic()
    for next_fit in fitted_ladder_ratings._next_fit_times.values():
        assert ended < next_fit < ended + 100 * (ended - began)
    rate_results(draw_results(6, field))
    assert fitted_ladder_ratings.list_stale() == [("pig", ""), ("pig", "2026")]
    assert fitted_ladder_ratings.list_due() == [], "a hundred times as long as a fit took has not gone by"
    assert fitted_ladder_ratings.refit_due("pig") == 0
    monkeypatch.setattr(
        fitted_ladder_ratings,
        "_next_fit_times",
        {("pig", ""): time.monotonic() + 3600, ("pig", "2026"): time.monotonic()},
    )
    assert fitted_ladder_ratings.refit_due("pig") == 1, "of the season, which is due"
    assert fitted_ladder_ratings.list_stale() == [("pig", "")]
