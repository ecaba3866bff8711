"""Sentences of a league's forecast: duration on the workers, chance of the best bot, and repeated pairings."""

from __future__ import annotations

import pytest

from bots.models.worker_reports_and_usage import WorkerSandboxReport
from ftk_core.league.league_simulation import LeagueForecast
from tournaments.reports.league_forecast import summarise_forecast

pytestmark = pytest.mark.django_db


def summarise(hours: float = 0.2, repeats: float = 3.2, unavoidable: float = 2.6) -> list[str]:
    chances = {"best": 0.29, "low": 0.204, "high": 0.4, "error": 0.1}
    counts = {"rounds": 5, "matches": 20, "runs": 12, "spread": 174}
    forecast = LeagueForecast(hours=hours, repeats=repeats, unavoidable=unavoidable, **chances, **counts)
    return summarise_forecast(forecast, 16)


@pytest.mark.parametrize(
    ("hours", "on_one", "on_two"),
    [
        (0.001, "About 1 minute on one worker.", "About 1 minute on 2 workers."),
        (0.2, "About 12 minutes on one worker.", "About 12 minutes on 2 workers."),
        (1.2, "About 72 minutes on one worker.", "About 72 minutes on 2 workers."),
        (2.4, "About 2 hours on one worker.", "About 2 hours on 2 workers."),
        (30, "About 30 hours on one worker.", "About 30 hours on 2 workers."),
        (50, "About 2 days on one worker.", "About 2 days on 2 workers."),
    ],
)
def test_the_forecast_states_the_league_duration_in_a_suitable_unit_and_the_number_of_workers(
    hours: float, on_one: str, on_two: str
) -> None:
    assert summarise(hours)[0] == on_one
    WorkerSandboxReport.objects.bulk_create(
        WorkerSandboxReport(worker=name, tier="bwrap", held=True) for name in ("one", "two")
    )
    assert summarise(hours)[0] == on_two


def test_the_forecast_states_the_win_probability_of_the_best_bot_with_its_confidence_interval() -> None:
    assert summarise()[1] == "The best of 16 bots wins in 29 of 100 leagues (95 % sure: 20 to 40)."


@pytest.mark.parametrize(
    ("repeats", "unavoidable", "sentences"),
    [
        (0.2, 0, ["No pairing is repeated."]),
        (1, 0, ["1 pairing is repeated."]),
        (4, 1, ["4 pairings are repeated.", "1 repeated pairing cannot be avoided."]),
        (3.2, 2.6, ["3 repeated pairings cannot be avoided."]),
    ],
)
def test_the_forecast_states_the_number_of_repeated_pairings_and_how_many_are_unavoidable(
    repeats: float, unavoidable: float, sentences: list[str]
) -> None:
    assert summarise(repeats=repeats, unavoidable=unavoidable)[2:] == sentences
