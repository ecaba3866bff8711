"""How often a ladder's court ratings are fitted anew while it goes on."""

from __future__ import annotations

import time

import pytest

from bots.models import BotVersion
from tests.support.ladders import NAMES, bot, rate, some
from tournaments import court_ratings


def test_the_longer_a_fit_takes_the_rarer_the_sweeper_asks_for_the_next(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    field: list[BotVersion] = [bot(slug) for slug in NAMES]
    monkeypatch.setattr(court_ratings, "_due", {})
    rate(some(5, field))
    assert court_ratings.refit_due("pig") == 2
    rate(some(6, field))
    assert court_ratings.list_stale() == [("pig", ""), ("pig", "2026")]
    assert court_ratings.list_due() == [], "a hundred times as long as a fit took has not gone by"
    assert court_ratings.refit_due("pig") == 0
    monkeypatch.setattr(
        court_ratings, "_due", {("pig", ""): time.monotonic() + 3600, ("pig", "2026"): time.monotonic()}
    )
    assert court_ratings.refit_due("pig") == 1, "of the season, which is due"
    assert court_ratings.list_stale() == [("pig", "")]
