"""Number of simulations of a league's forecast, which depends on an upper bound for the league's matches."""

from __future__ import annotations

from typing import Any

import pytest

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_simulation import PAIRING_BUDGET
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.pairing import round_robin_schedules
from ftk_core.league.pairing.pairing_input_and_output import PairingInput
from ftk_core.random_streams import RandomBitStream
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.reports.league_forecast import MAX_RUNS, compute_forecast

pytestmark = pytest.mark.django_db
SWISS = StageSettings(format="swiss", seats=2, rounds=3, games=20)
FINALS = StageSettings(format="knockout", seats=2, games=20, qualify=8)
KNOCKOUT = StageSettings(format="knockout", seats=2, games=20)
GROUPS = StageSettings(format="groups", seats=2, games=10, groups=8)


def count_runs(*stages: StageSettings, entries: int) -> int:
    terms = LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=0, stages=stages)
    return compute_forecast(terms, entries).runs


@pytest.mark.slow
@pytest.mark.parametrize("stages", [(SWISS, FINALS), (KNOCKOUT,), (GROUPS, FINALS)])
def test_forecasts_of_cups_and_knockouts_and_group_stages_use_every_requested_simulation(
    stages: tuple[StageSettings, ...],
) -> None:
    assert count_runs(*stages, entries=40) == MAX_RUNS


@pytest.mark.parametrize(
    ("stage", "entries"),
    [
        (StageSettings(format="round_robin", seats=2, games=20), 80),
        (StageSettings(format="gauntlet", seats=2, games=20, groups=40), 80),
    ],
)
def test_the_forecast_of_a_league_with_too_many_matches_is_refused(stage: StageSettings, entries: int) -> None:
    with pytest.raises(CommandRejected, match="too many matches for a web request"):
        count_runs(stage, entries=entries)


@pytest.mark.slow
def test_a_forecast_searches_no_schedule_with_the_effort_of_a_real_league(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets = set[int]()
    search = round_robin_schedules.draw_round

    def note_budget(people: PairingInput, draw: RandomBitStream) -> Any:
        budgets.add(people.budget)
        return search(people, draw)

    monkeypatch.setattr(round_robin_schedules, "draw_round", note_budget)
    terms = LeagueSettings(slug="night", name="Night", game="pig", seats=4, rounds=0, format="round_robin")
    compute_forecast(terms, 10)
    assert budgets == {PAIRING_BUDGET}
