"""What the ratings foretell, in worlds where bots get better and worse from version to version.

FTK_COURT_WORLDS says how many worlds there are, 40 being the least, and that all kinds of them are tried; what is
measured has no other luck in it. Models are compared world by world: one is behind another when it is off by more in
the mean, and the mean of the differences is more than twice its own standard error.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from numpy.typing import NDArray
from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

from ftk_core.league.court import Prior, fit
from tests.support.court import (
    BOTS,
    FIELDS,
    Chance,
    Changing,
    by_court,
    by_elo,
    by_glicko,
    by_openskill,
    by_trueskill,
    by_trueskill_through_time,
    changing,
    excess,
    field_of,
    placed,
    schedule,
)

SCALE = int(os.environ.get("FTK_COURT_WORLDS", "40")) / 40
ALL = "FTK_COURT_WORLDS" in os.environ
Losses = NDArray[np.float64]
VERSIONS = 4
STEPS = (0.2, 0.5, 1.0)
"""By how much bots change from version to version, as a standard deviation; 0.5 is what the prior takes it for."""
GAMES = 400
"""Of each version in all worlds together: with few in each, luck decides, and there are more of them."""

COMPARED = [(50, 2, step) for step in STEPS] + [(50, 4, 0.5)]
"""Games, seats and steps at which all rating systems are compared; tables of four take minutes."""
if ALL:
    COMPARED = [(games, size, step) for games, size in [(50, 2), (50, 4), (10, 2), (20, 4), (20, 8)] for step in STEPS]


def worlds(games: int, size: int, step: float) -> list[Changing]:
    seeds = (np.random.default_rng(1000 * games + 10 * number + size) for number in range(int(SCALE * GAMES / games)))
    return [changing(draw, games, size, VERSIONS, step) for draw in seeds]


def court_of(world: Changing, prior: Prior | None = None) -> Chance:
    """Return what the court rating foretells of the newest versions."""
    return by_court(fit([world.played], world.before, prior), first=BOTS * (VERSIONS - 1))


def others_of(world: Changing) -> list[Chance]:
    """Return what all other rating systems foretell."""
    models = [by_openskill(model(), world) for model in (PlackettLuce, BradleyTerryFull, ThurstoneMostellerFull)]
    return [*models, by_elo(world), by_glicko(world), by_trueskill(world), by_trueskill_through_time(world)]


def off(games: int, size: int, step: float) -> tuple[Losses, Losses, Losses]:
    """Return how far the court rating is off in each of some worlds, how far if it were told the step, and Elo."""
    found = [
        [
            excess(chance, world.strengths[-1])
            for chance in (court_of(world), court_of(world, Prior(later=step)), by_elo(world))
        ]
        for world in worlds(games, size, step)
    ]
    court, told, elo = np.array(found).T
    return court, told, elo


def is_behind(losses: Losses, others: Losses) -> bool:
    """Tell whether a model is off by more than another in the same worlds, and not by their luck alone."""
    more = losses - others
    return bool(more.mean() > 2 * more.std(ddof=1) / np.sqrt(len(more)))


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.5, 1.0])
@pytest.mark.parametrize(("games", "size"), [(20, 4), (50, 4), (20, 8), (50, 8)] if ALL else [(50, 4)])
def test_the_court_rating_is_off_by_at_most_half_of_what_elo_is(games: int, size: int, step: float) -> None:
    court, _, elo = off(games, size, step)
    assert not is_behind(court, elo / 2)
    assert is_behind(elo, court)


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("games", "size", "more"),
    [(50, 2, 1.08), (50, 4, 1.05), *([(20, 2, 1.12), (20, 4, 1.08)] if ALL else [])],
)
def test_it_foretells_nearly_as_well_as_if_it_were_told_how_much_bots_change(
    games: int, size: int, more: float, step: float
) -> None:
    """No model that has to find out everything can do better than one that is told what the worlds are made by."""
    court, told, _ = off(games, size, step)
    assert not is_behind(court, more * told)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "step"), [(2, 0.2), (2, 0.5), (4, 0.2), (8, 0.2)])
def test_where_half_of_elo_is_not_reached_nobody_could_reach_it(size: int, step: float) -> None:
    """A match of two says one bit, and of bots that hardly change Elo with its falling K sums up all there is."""
    court, told, elo = off(50, size, step)
    assert is_behind(told, elo / 2)
    assert not is_behind(court, elo)


@pytest.mark.slow
@pytest.mark.parametrize(("games", "size", "step"), COMPARED)
def test_the_court_rating_is_behind_none_of_openskill_trueskill_and_glicko_2(
    games: int, size: int, step: float
) -> None:
    losses = [
        [excess(chance, world.strengths[-1]) for chance in (court_of(world), *others_of(world))]
        for world in worlds(games, size, step)
    ]
    court, *others = np.array(losses).T
    assert not any(is_behind(court, other) for other in others)


def off_in(field: str, games: int, size: int) -> tuple[Losses, list[Losses]]:
    """Return how far the court rating is off in worlds of a field in which no bot changes, and all others."""
    losses = []
    for number in range(int(SCALE * GAMES / games)):
        draw = np.random.default_rng(1000 * games + 10 * number + size)
        strength, tables = field_of(draw, field), schedule(draw, games, size)
        world = Changing([strength], [tables], [placed(draw, strength, tables, np.zeros(size))])
        chances = by_court(fit([world.played], world.before)), *others_of(world)
        losses.append([excess(chance, strength) for chance in chances])
    court, *others = np.array(losses).T
    return court, others


@pytest.mark.slow
@pytest.mark.parametrize("field", sorted(FIELDS))
@pytest.mark.parametrize(("games", "size"), [(20, 2), *([(7, 4), (20, 4), (7, 8)] if ALL else [])])
def test_in_narrow_and_wide_fields_the_court_rating_is_behind_none(games: int, size: int, field: str) -> None:
    court, others = off_in(field, games, size)
    assert not any(is_behind(court, other) for other in others)


@pytest.mark.slow
@pytest.mark.parametrize("field", sorted(FIELDS))
def test_at_seven_matches_of_two_it_is_little_behind_whoever_was_made_for_such_a_field(field: str) -> None:
    """TrueSkill's spread is 400 points, Elo's K is for narrow fields: each is told there what we have to find out."""
    court, others = off_in(field, 7, 2)
    assert not any(is_behind(court, 1.1 * other) for other in others)
