"""What the ratings foretell, in worlds where bots get better and worse from version to version.

FTK_COURT_WORLDS says how many worlds there are, 40 being the least; what is measured has no other luck in it.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

from ftk_core.league.court import fit
from tests.support.court import (
    BOTS,
    Chance,
    Changing,
    by_court,
    by_elo,
    by_glicko,
    by_openskill,
    by_trueskill,
    changing,
    excess,
)

SCALE = int(os.environ.get("FTK_COURT_WORLDS", "40")) / 40
VERSIONS = 4
GAMES = 400
"""Of each version in all worlds together: with few in each, luck decides, and there are more of them."""


def worlds(games: int, size: int, step: float) -> list[Changing]:
    seeds = (np.random.default_rng(1000 * games + 10 * number + size) for number in range(int(SCALE * GAMES / games)))
    return [changing(draw, games, size, VERSIONS, step) for draw in seeds]


def court_of(world: Changing) -> Chance:
    """Return what the court rating foretells of the newest versions."""
    return by_court(fit([world.played], world.before), first=BOTS * (VERSIONS - 1))


def off(games: int, size: int, step: float) -> tuple[float, float]:
    """Return how far the court rating is off in the mean of some worlds, and how far Elo."""
    found = [
        (excess(court_of(world), world.strengths[-1]), excess(by_elo(world), world.strengths[-1]))
        for world in worlds(games, size, step)
    ]
    court, elo = np.mean(found, axis=0)
    return float(court), float(elo)


@pytest.mark.parametrize(("games", "size"), [(20, 4), (50, 4), (10, 6), (50, 6), (10, 8), (50, 8)])
def test_the_court_rating_is_off_by_at_most_half_of_what_elo_is(games: int, size: int) -> None:
    court, elo = off(games, size, 0.5)
    assert court <= elo / 2


def test_where_two_meet_it_is_so_once_bots_change_much_and_play_enough() -> None:
    """A match of two says one bit: with few of them the best there can be is off by more than half of Elo."""
    court, elo = off(50, 2, 1.0)
    assert court <= elo / 2
    court, elo = off(50, 2, 0.5)
    assert court <= elo * 0.75


@pytest.mark.parametrize(("games", "size"), [(10, 2), (50, 2), (10, 4), (20, 8)])
def test_the_court_rating_is_behind_none_of_openskill_trueskill_and_glicko_2(games: int, size: int) -> None:
    losses = []
    for world in worlds(games, size, 0.5):
        models = [by_openskill(model(), world) for model in (PlackettLuce, BradleyTerryFull, ThurstoneMostellerFull)]
        chances = [court_of(world), by_elo(world), *models, by_trueskill(world), by_glicko(world)]
        losses.append([excess(chance, world.strengths[-1]) for chance in chances])
    court, *others = np.mean(losses, axis=0)
    assert court <= min(others)
