"""A league is simulated before it is announced, and the forecast is correct."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_simulation import LeagueSimulationSettings, forecast_league, simulate_league
from ftk_core.league.league_state import CommandRejected


def terms(
    named: str = "swiss", seats: int = 2, rounds: int = 0, entries: int = 8, **more: float
) -> LeagueSimulationSettings:
    games = int(more.pop("games", 1))
    workers = int(more.pop("workers", 1))
    stage = StageSettings(format=named, seats=seats, least=2, rounds=rounds, games=games)
    return LeagueSimulationSettings(stages=(stage,), entries=entries, seconds=60, workers=workers, **more)


@pytest.mark.parametrize(
    ("tried", "rounds", "matches", "hours"),
    [
        (terms(seats=4, rounds=5, entries=32), 5, 40, 40 / 60),
        (terms(seats=4, rounds=5, entries=32, workers=8), 5, 40, 5 / 60),
        (terms(seats=4, rounds=5, entries=32, workers=5), 5, 40, 10 / 60),
        (terms(seats=2, rounds=3, entries=9, games=2), 3, 24, 24 / 60),
        (terms("knockout", entries=16), 4, 15, 15 / 60),
        (terms("knockout", entries=11), 4, 10, 10 / 60),
        (terms("gauntlet", entries=9, rounds=1), 1, 8, 8 / 60),
    ],
)
def test_a_league_forecast_computes_rounds_matches_and_hours_from_the_format(
    tried: LeagueSimulationSettings, rounds: float, matches: float, hours: float
) -> None:
    found = forecast_league(tried, runs=2)
    assert (found.rounds, found.matches) == (rounds, matches)
    assert found.hours == pytest.approx(hours)


def test_a_league_forecast_counts_all_repeated_pairings_and_separately_the_unavoidable_ones() -> None:
    """After three rounds each of four bots has met all others. Each of the next three rounds repeats two pairings."""
    first, second = (forecast_league(terms(rounds=rounds, entries=4), runs=3) for rounds in (3, 6))
    assert (first.repeats, first.unavoidable) == (0, 0)
    assert (second.repeats, second.unavoidable) == (6, 6)
    tables = forecast_league(terms(seats=4, rounds=4, entries=10), runs=3)
    assert tables.repeats >= tables.unavoidable
    assert tables.repeats > 0, "three tables of ten bots: each meets two or three others a round"


def test_a_league_forecast_states_the_standard_deviation_of_strength_in_rating_points() -> None:
    assert forecast_league(terms(rounds=1), runs=1).spread == pytest.approx(173.7, abs=0.1)
    assert forecast_league(terms(rounds=1, spread=2.0), runs=1).spread == pytest.approx(347.4, abs=0.1)


def chance(games: int, spread: float) -> float:
    """Return the chance that the better of two bots wins most of its matches, averaged over normal strengths."""
    apart = np.linspace(0, 12 * spread, 20_001)
    density = 2 * np.exp(-(apart**2) / (4 * spread**2)) / (2 * spread * math.sqrt(math.pi))
    wins = 1 / (1 + np.exp(-apart))
    most = sum(math.comb(games, n) * wins**n * (1 - wins) ** (games - n) for n in range(games // 2 + 1, games + 1))
    return float(np.trapezoid(density * most, apart))


@pytest.mark.slow
@pytest.mark.parametrize(("games", "spread"), [(1, 1.0), (3, 1.0), (1, 0.3), (5, 2.0)])
def test_the_better_of_two_simulated_bots_wins_as_often_as_the_closed_formula_says(games: int, spread: float) -> None:
    found = forecast_league(terms(rounds=1, entries=2, games=games, spread=spread), runs=300)
    assert abs(found.best - chance(games, spread)) < 4 * found.error


def test_the_win_forecast_of_a_bot_that_won_every_simulated_league_still_has_a_margin_of_error() -> None:
    found = forecast_league(terms(rounds=1, entries=2, spread=1e6), runs=20)
    assert found.best == 1
    assert 0.01 < found.error < 0.1


def test_the_same_random_seed_simulates_the_same_leagues() -> None:
    tried = terms(seats=4, rounds=3, entries=13)
    assert forecast_league(tried, 3, seed=5) == forecast_league(tried, 3, seed=5)
    runs = [simulate_league(tried, np.random.default_rng(number)) for number in (1, 1, 2)]
    assert runs[0].league == runs[1].league != runs[2].league


def test_a_league_of_two_stages_is_simulated_stage_by_stage() -> None:
    first = StageSettings(format="swiss", seats=4, least=2, rounds=3)
    last = StageSettings(format="knockout", seats=2, least=2, qualify=4)
    found = forecast_league(LeagueSimulationSettings(stages=(first, last), entries=16, seconds=60), runs=2)
    assert (found.rounds, found.matches) == (3 + 2, 3 * 4 + 3)


def test_simulating_a_league_that_cannot_be_played_raises_an_error_with_the_reason() -> None:
    with pytest.raises(CommandRejected, match="needs 2 entries or more"):
        forecast_league(terms(rounds=1, entries=1), runs=1)
    with pytest.raises(ValueError, match="not 0 times"):
        forecast_league(terms(rounds=1), runs=0)
