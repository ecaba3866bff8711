"""Predictions of rating systems in simulated worlds, where bots change from version to version.

FTK_COURT_WORLDS sets the number of worlds (at least 40) and enables all kinds of worlds. All models predict the same
worlds. A model counts as worse if its mean error is larger and the mean of the differences exceeds twice its standard
error.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from numpy.typing import NDArray
from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

from ftk_core.league.court_rating import PriorSigmas, fit_ratings
from tests.support.court import (
    ALL,
    BOTS,
    FIELDS,
    Chance,
    ChangingBots,
    draw_places,
    draw_schedule,
    draw_strengths,
    forecast_by_court,
    forecast_by_elo,
    forecast_by_glicko,
    forecast_by_openskill,
    forecast_by_trueskill,
    forecast_by_trueskill_through_time,
    measure_excess_loss,
    simulate_changing_bots,
)

SCALE = int(os.environ.get("FTK_COURT_WORLDS", "40")) / 40
Losses = NDArray[np.float64]
VERSIONS = 4
STEPS = (0.2, 0.5, 1.0) if ALL else (0.5,)
"""Standard deviations of the change between versions of a bot. The prior assumes 0.5."""
GAMES = 400 if ALL else 200
"""Games of each version in all worlds together. Fewer games per world mean more noise, and so more worlds."""

COMPARED = [(50, 2, 0.5)]
"""Games, seats and steps at which all rating systems are compared. Each takes half a minute; four seats take more."""
COMPARED_FIELDS = sorted(FIELDS) if ALL else ["heavy"]
if ALL:
    COMPARED = [(games, size, step) for games, size in [(50, 2), (50, 4), (10, 2), (20, 4), (20, 8)] for step in STEPS]


def worlds(games: int, size: int, step: float) -> list[ChangingBots]:
    seeds = (np.random.default_rng(1000 * games + 10 * number + size) for number in range(int(SCALE * GAMES / games)))
    return [simulate_changing_bots(draw, games, size, VERSIONS, step) for draw in seeds]


def court_of(world: ChangingBots, prior: PriorSigmas | None = None) -> Chance:
    """Return the predictions of the court rating for the newest versions."""
    return forecast_by_court(fit_ratings([world.played], world.before, prior), first=BOTS * (VERSIONS - 1))


def others_of(world: ChangingBots) -> list[Chance]:
    """Return the predictions of all other rating systems."""
    models = [
        forecast_by_openskill(model(), world) for model in (PlackettLuce, BradleyTerryFull, ThurstoneMostellerFull)
    ]
    return [
        *models,
        forecast_by_elo(world),
        forecast_by_glicko(world),
        forecast_by_trueskill(world),
        forecast_by_trueskill_through_time(world),
    ]


def off(games: int, size: int, step: float) -> tuple[Losses, Losses, Losses]:
    """Return the errors of the court rating, of the court rating with the true step, and of Elo, for each world."""
    found = [
        [
            measure_excess_loss(chance, world.strengths[-1])
            for chance in (
                court_of(world),
                court_of(world, PriorSigmas(later=step)),
                forecast_by_elo(world),
            )
        ]
        for world in worlds(games, size, step)
    ]
    court, told, elo = np.array(found).T
    return court, told, elo


def is_behind(losses: Losses, others: Losses) -> bool:
    """Return True if the error of a model is significantly larger than that of another in the same worlds."""
    more = losses - others
    return bool(more.mean() > 2 * more.std(ddof=1) / np.sqrt(len(more)))


@pytest.mark.nightly
@pytest.mark.parametrize("step", [0.5, 1.0] if ALL else [0.5])
@pytest.mark.parametrize(("games", "size"), [(20, 4), (50, 4), (20, 8), (50, 8)] if ALL else [(50, 4)])
def test_the_court_rating_has_at_most_half_the_prediction_error_of_elo_for_bots_that_change(
    games: int, size: int, step: float
) -> None:
    court, _, elo = off(games, size, step)
    assert not is_behind(court, elo / 2)
    assert is_behind(elo, court)


@pytest.mark.nightly
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("games", "size", "more"),
    [(50, 4, 1.05), *([(50, 2, 1.08), (20, 2, 1.12), (20, 4, 1.08)] if ALL else [])],
)
def test_the_court_rating_predicts_almost_as_well_as_a_model_that_knows_how_much_bots_change(
    games: int, size: int, more: float, step: float
) -> None:
    """No model can predict better than one that knows the parameters of the worlds."""
    court, told, _ = off(games, size, step)
    assert not is_behind(court, more * told)


@pytest.mark.nightly
@pytest.mark.parametrize(("size", "step"), [(2, 0.2), (2, 0.5), (4, 0.2), (8, 0.2)] if ALL else [(2, 0.5)])
def test_the_court_rating_predicts_no_worse_than_elo_if_even_an_ideal_model_cannot_halve_the_error_of_elo(
    size: int, step: float
) -> None:
    """A match of two gives one bit of information, and Elo with a falling K uses it fully if bots hardly change."""
    court, told, elo = off(50, size, step)
    assert is_behind(told, elo / 2)
    assert not is_behind(court, elo)


@pytest.mark.nightly
@pytest.mark.parametrize(("games", "size", "step"), COMPARED)
def test_the_court_rating_predicts_results_no_worse_than_openskill_trueskill_and_glicko_2(
    games: int, size: int, step: float
) -> None:
    losses = [
        [measure_excess_loss(chance, world.strengths[-1]) for chance in (court_of(world), *others_of(world))]
        for world in worlds(games, size, step)
    ]
    court, *others = np.array(losses).T
    assert not any(is_behind(court, other) for other in others)


def off_in(field: str, games: int, size: int) -> tuple[Losses, list[Losses]]:
    """Return the errors of the court rating and of all other models, in worlds where no bot changes."""
    losses = []
    for number in range(int(SCALE * GAMES / games)):
        draw = np.random.default_rng(1000 * games + 10 * number + size)
        strength, tables = draw_strengths(draw, field), draw_schedule(draw, games, size)
        world = ChangingBots([strength], [tables], [draw_places(draw, strength, tables, np.zeros(size))])
        chances = forecast_by_court(fit_ratings([world.played], world.before)), *others_of(world)
        losses.append([measure_excess_loss(chance, strength) for chance in chances])
    court, *others = np.array(losses).T
    return court, others


@pytest.mark.nightly
@pytest.mark.parametrize("field", COMPARED_FIELDS)
@pytest.mark.parametrize(("games", "size"), [(20, 2), *([(7, 4), (20, 4), (7, 8)] if ALL else [])])
def test_the_court_rating_predicts_no_worse_than_other_systems_for_small_and_large_skill_gaps(
    games: int, size: int, field: str
) -> None:
    court, others = off_in(field, games, size)
    assert not any(is_behind(court, other) for other in others)


@pytest.mark.nightly
@pytest.mark.parametrize("field", COMPARED_FIELDS)
def test_after_seven_matches_the_court_rating_has_at_most_10_percent_more_error_than_tuned_models(field: str) -> None:
    """TrueSkill's spread and Elo's K fit this field from the start; the court rating has to estimate the spread."""
    court, others = off_in(field, 7, 2)
    assert not any(is_behind(court, 1.1 * other) for other in others)
