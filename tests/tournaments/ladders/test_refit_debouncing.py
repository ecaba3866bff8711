"""Debouncing of court fits: ladders with slow fits are refitted less often."""

from __future__ import annotations

import time

import pytest

from bots.models import BotVersion
from tests.support.ladders import NAMES, create_bot, draw_results, rate_results
from tournaments.ladders import ladder_court_ratings
from tournaments.models import CourtRating, Rating

pytestmark = pytest.mark.slow


def test_court_ratings_are_not_fitted_again_before_the_next_fit_time_of_their_ladder(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    field: list[BotVersion] = [create_bot(slug) for slug in NAMES]
    monkeypatch.setattr(ladder_court_ratings, "_next_fit_times", {})
    rate_results(draw_results(5, field))
    began = time.monotonic()
    assert ladder_court_ratings.refit_due("pig") == 2
    ended = time.monotonic()
    for next_fit in ladder_court_ratings._next_fit_times.values():
        assert ended < next_fit < ended + 100 * (ended - began)
    rate_results(draw_results(6, field))
    assert ladder_court_ratings.list_stale() == [("pig", ""), ("pig", "2026")]
    assert ladder_court_ratings.list_due() == [], "a hundred times as long as a fit took has not gone by"
    assert ladder_court_ratings.refit_due("pig") == 0
    monkeypatch.setattr(
        ladder_court_ratings,
        "_next_fit_times",
        {("pig", ""): time.monotonic() + 3600, ("pig", "2026"): time.monotonic()},
    )
    assert ladder_court_ratings.refit_due("pig") == 1, "of the season, which is due"
    assert ladder_court_ratings.list_stale() == [("pig", "")]


def test_a_bot_with_few_matches_all_older_than_the_last_fit_does_not_trigger_a_new_rating_fit(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder_court_ratings, "_next_fit_times", {})
    monkeypatch.setattr(ladder_court_ratings, "_bots_without_fit", {})
    field: list[BotVersion] = [create_bot(slug) for slug in NAMES]
    rate_results(draw_results(5, field))
    Rating.objects.filter(bot=field[0].bot).update(matches=1)
    assert ladder_court_ratings.refit("pig") == 2
    CourtRating.objects.filter(bot=field[0].bot).delete()
    ladder_court_ratings._next_fit_times.update(dict.fromkeys([("pig", ""), ("pig", "2026")], time.monotonic() + 3600))
    rate_results(draw_results(6, field[1:]))
    assert set(ladder_court_ratings.list_due()) == {("pig", ""), ("pig", "2026")}, "it may be new"
    fit = ladder_court_ratings._fit
    monkeypatch.setattr(ladder_court_ratings, "_fit", lambda row, tables: (fit(row, tables), leave_out(field[0])))
    assert ladder_court_ratings.refit("pig") == 2
    rate_results(draw_results(7, field[1:]))
    assert ladder_court_ratings.list_stale()
    assert ladder_court_ratings.list_due() == []


def leave_out(version: BotVersion) -> None:
    CourtRating.objects.filter(bot=version.bot).delete()
