"""Simulated results of bots with known strengths, and the forecasts that rating systems make from the results."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import trueskillthroughtime as ttt
from elote import Glicko2Competitor
from numpy.typing import NDArray

from ftk_core.league.court_rating import BotRatingFit, MatchArrays
from ftk_core.league.court_rating.rating_fit import POINTS_PER_STRENGTH
from tournaments.ladders.elo_ratings import MILLION, START_RATING, compute_deltas, compute_expected_score, compute_k

WORLDS = int(os.environ.get("FTK_COURT_WORLDS", "20"))
"""Number of simulated worlds in each test of intervals; `make long` sets more, and tests more kinds of worlds."""
ALL = "FTK_COURT_WORLDS" in os.environ
"""Number of simulated worlds for each calibration test; with more worlds its standard error is smaller."""
BOTS = 24
NONE_BEFORE = np.full(BOTS, -1)
"""Numbers of the predecessors of the bots' first versions: -1 means that there is no predecessor."""
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Chance = Callable[[int, int], float]
"""Probability that the first bot ends before the second."""


FIELDS = {"100": 100, "174": 174, "400": 400, "heavy": 174}
"""Standard deviation of strengths in rating points, by field; ``heavy`` is Student's t with 3 degrees of freedom."""


def draw_strengths(draw: np.random.Generator, field: str) -> Floats:
    """Draw the strengths of all bots, with mean 0, from the distribution of a field in `FIELDS`."""
    spread = FIELDS[field] / POINTS_PER_STRENGTH
    if field == "heavy":
        return np.asarray(draw.standard_t(3, BOTS) * spread / math.sqrt(3))
    return draw.normal(0, spread, BOTS)


def measure_coverage(court: BotRatingFit, strength: Floats) -> float:
    """Return the share of bots whose strength, relative to the mean, lies within the interval of their rating."""
    true = (strength - strength.mean()) * POINTS_PER_STRENGTH + 1500
    rated = [court.rated(bot) for bot in range(BOTS)]
    return sum(one.low < truth < one.high for one, truth in zip(rated, true, strict=True)) / BOTS


def assert_intervals_hold(shares: Sequence[float], low: float = 0.93, high: float = 0.97) -> None:
    """Assert that the mean share of bots within their interval is between `low` and `high`, up to two standard errors.

    The standard error is at least the binomial error at the bound, because the shares of few worlds may agree by luck.
    """
    share, worlds = float(np.mean(shares)), len(shares)
    seen = float(np.std(shares)) / math.sqrt(worlds)
    below, above = (max(seen, math.sqrt(bound * (1 - bound) / (worlds * BOTS))) for bound in (low, high))
    assert low - 2 * below <= share <= high + 2 * above


def draw_schedule(draw: np.random.Generator, games: int, size: int) -> Ints:
    """Draw `games` rounds of random tables of `size` bots; each bot sits at one table of each round."""
    rounds = [draw.permutation(BOTS).reshape(-1, size) for _ in range(games)]
    return np.vstack(rounds)


def draw_places(draw: np.random.Generator, strength: Floats, tables: Ints, seats: Floats, step: float = 0) -> Ints:
    """Draw places by the Plackett-Luce model; `seats` is the advantage of each seat.

    With a `step`, the drawn performances are rounded to multiples of the step; bots with equal performances tie.
    """
    luck = strength[tables] + seats + draw.gumbel(size=tables.shape)
    if step:
        luck = np.round(luck / step)
    return np.asarray(1 + (luck[:, :, None] < luck[:, None, :]).sum(axis=2), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class ChangingBots:
    """A world of bots with successive versions, each as strong as its predecessor plus a random change."""

    strengths: list[Floats]
    """Strengths of all bots, by version from the first."""
    tables: list[Ints]
    """By version: the bots by seat at each table that was played while the version was the newest."""
    places: list[Ints]
    """By version: the places by seat at each of these tables."""

    @property
    def played(self) -> MatchArrays:
        """Return all matches by version; the second version of bot b has number ``BOTS + b``."""
        numbered = [tables + BOTS * number for number, tables in enumerate(self.tables)]
        return MatchArrays(np.vstack(numbered), np.vstack(self.places))

    @property
    def before(self) -> Ints:
        """Return the number of each version's predecessor; -1 for first versions."""
        return np.concatenate([NONE_BEFORE, np.arange(BOTS * (len(self.tables) - 1))])

    @property
    def events(self) -> Iterator[tuple[list[int], list[int]]]:
        """Yield (bots by seat, places by seat) of each match in the order of time."""
        for tables, places in zip(self.tables, self.places, strict=True):
            yield from zip(tables.tolist(), places.tolist(), strict=True)


def simulate_changing_bots(
    draw: np.random.Generator, games: int, size: int, versions: int, step: float
) -> ChangingBots:
    """Return a world in which each bot has `versions` versions, which play `games` games each at tables of `size` bots.

    `step` is the standard deviation of the change of strength from one version to the next.
    """
    strengths = list(np.cumsum([draw.normal(0, step if at else 1, BOTS) for at in range(versions)], axis=0))
    tables = [draw_schedule(draw, games, size) for _ in range(versions)]
    places = [
        draw_places(draw, strength, some, np.zeros(size)) for strength, some in zip(strengths, tables, strict=True)
    ]
    return ChangingBots(strengths, tables, places)


def measure_excess_loss(chance: Chance, strength: Floats) -> float:
    """Return the log loss of forecasts for all pairs of bots, above the minimum that is possible.

    True chances have the minimum. The expected loss is computed, not that of drawn results, so it contains no luck.
    """
    lost = []
    for one, other in combinations(range(BOTS), 2):
        true = 1 / (1 + math.exp(strength[other] - strength[one]))
        said = min(1 - 1e-9, max(1e-9, chance(one, other)))
        lost.append(true * math.log(true / said) + (1 - true) * math.log((1 - true) / (1 - said)))
    return sum(lost) / len(lost)


def forecast_by_court(court: BotRatingFit, first: int = 0) -> Chance:
    """Return the forecast of the court ratings for the versions with numbers from `first` on.

    It is logistic in the lead, which is shrunk by its uncertainty (MacKay 1992).
    """
    x, covariance = court.belief[0][first:], court.belief[1][first:, first:]

    def chance(one: int, other: int) -> float:
        spread = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        return 1 / (1 + math.exp(-(x[one] - x[other]) / math.sqrt(1 + math.pi * spread / 8)))

    return chance


def forecast_by_elo(world: ChangingBots) -> Chance:
    """Return the forecast of the arena's own Elo ratings after the matches of a world."""
    values, played = [START_RATING] * BOTS, [0] * BOTS
    for table, row in world.events:
        moved = compute_deltas([values[bot] for bot in table], row, [compute_k(played[bot]) for bot in table])
        for bot, delta in zip(table, moved, strict=True):
            values[bot] += delta
            played[bot] += 1
    return lambda one, other: compute_expected_score(round((values[one] - values[other]) / 1000)) / MILLION


def forecast_by_openskill(model: Any, world: ChangingBots) -> Chance:
    """Return the forecast of a model of the package openskill, by R. Weng and C.-J. Lin."""
    ratings = {bot: model.rating() for bot in range(BOTS)}
    for table, row in world.events:
        for bot, (after,) in zip(table, model.rate([[ratings[b]] for b in table], ranks=row), strict=True):
            ratings[bot] = after
    return lambda one, other: model.predict_win([[ratings[one]], [ratings[other]]])[0]


def forecast_by_glicko(world: ChangingBots) -> Chance:
    """Return the forecast of M. Glickman's Glicko-2, for which a match counts as all pairs of its bots."""
    ratings = {bot: Glicko2Competitor() for bot in range(BOTS)}
    for table, row in world.events:
        for i, one in enumerate(table):
            for j, other in enumerate(table):
                if row[i] < row[j]:
                    ratings[one].beat(ratings[other])
    return lambda one, other: ratings[one].expected_score(ratings[other])


def forecast_by_trueskill_through_time(world: ChangingBots) -> Chance:
    """Return the forecast of TrueSkill Through Time, with its authors' parameters (G. Landfried, E. Mocskos, 2021)."""
    sat = [[[str(bot)] for bot in table] for table, _ in world.events]
    scores = [[-place for place in row] for _, row in world.events]
    times = list(range(1, len(sat) + 1))
    history = ttt.History(sat, scores, times, sigma=1.6, beta=1.0, gamma=0.036)
    history.convergence(epsilon=0.01, iterations=10, verbose=False)
    last = {int(bot): curve[-1][1] for bot, curve in history.learning_curves().items()}

    def chance(one: int, other: int) -> float:
        spread = math.sqrt(2) * math.hypot(last[one].sigma, last[other].sigma, math.sqrt(2))
        return (1 + math.erf((last[one].mu - last[other].mu) / spread)) / 2

    return chance


def forecast_by_trueskill(world: ChangingBots) -> Chance:
    """Return the forecast of TrueSkill with its authors' parameters: 25, 25 / 3, 25 / 6, 25 / 300."""
    first, beta, drift = ttt.Gaussian(25, 25 / 3), 25 / 6, 25 / 300
    ratings = dict.fromkeys(range(BOTS), first)
    for table, row in world.events:
        sat = [[ttt.Player(ttt.Gaussian(ratings[b].mu, math.hypot(ratings[b].sigma, drift)), beta, 0)] for b in table]
        after = ttt.Game(sat, [-place for place in row]).posteriors()
        ratings |= {bot: team[0] for bot, team in zip(table, after, strict=True)}

    def chance(one: int, other: int) -> float:
        spread = math.sqrt(2) * math.hypot(ratings[one].sigma, ratings[other].sigma, math.sqrt(2) * beta)
        return (1 + math.erf((ratings[one].mu - ratings[other].mu) / spread)) / 2

    return chance
