"""The variation between versions of a bot is estimated from matches if they suffice."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ftk_core.league.court_rating import BotRatingFit, MatchArrays, PriorSigmas, fit_ratings
from ftk_core.league.court_rating.bot_version_change_prior import PRIOR_DEVIATION, WIDTHS, variances_within
from tests.support.court import BOTS, ChangingBots, simulate_changing_bots
from tests.support.orders import ORDERS


def world(step: float, games: int = 50, size: int = 4, seed: int = 3) -> ChangingBots:
    return simulate_changing_bots(np.random.default_rng(seed), games, size, versions=4, step=step)


def learnt(one: ChangingBots) -> float:
    return fit_ratings([one.played], one.before).prior.later


def evidence(court: BotRatingFit, played: MatchArrays) -> float:
    """Return the log evidence of the matches under a fit's prior, by Laplace's approximation with every variance."""
    x, precision = court.x, court.believed.precision.toarray()
    first = court.layout.seats[played.seats]
    order = played.places.argsort(axis=1)
    strengths = np.take_along_axis(x[played.versions] + x[first : first + played.seats], order, axis=1)
    left = np.log(np.cumsum(np.exp(strengths)[:, ::-1], axis=1))[:, ::-1]
    believed = np.linalg.slogdet(precision)[1] - x @ precision @ x
    width = -((math.log(court.prior.later / PriorSigmas().later) / PRIOR_DEVIATION) ** 2)
    return float((strengths - left).sum() + (believed + width + np.linalg.slogdet(court.covariance)[1]) / 2)


@pytest.mark.parametrize("step", [0.2, 0.5, 1.0])
def test_the_typical_strength_change_between_bot_versions_is_estimated_within_a_factor_of_1_5(step: float) -> None:
    assert step / 1.5 <= learnt(world(step)) <= step * 1.5


@pytest.mark.slow
@pytest.mark.parametrize(("step", "games", "size"), [(0.2, 20, 2), (0.5, 50, 4), (1.0, 10, 8)])
def test_the_estimated_strength_change_between_versions_is_the_likeliest_grid_value_or_the_next_larger_one(
    step: float, games: int, size: int
) -> None:
    one = world(step, games, size)
    known = [evidence(fit_ratings([one.played], one.before, PriorSigmas(later=width)), one.played) for width in WIDTHS]
    assert WIDTHS.index(learnt(one)) - int(np.argmax(known)) in {0, 1}


@pytest.mark.slow
def test_too_few_matches_leave_the_estimated_strength_change_between_versions_at_its_default() -> None:
    few = fit_ratings([MatchArrays(np.array([[0, 1], [2, 1]]), np.array([[1, 2], [2, 1]]))], np.array([-1, -1, 0]))
    assert few.prior == PriorSigmas()
    alone = fit_ratings([world(1.0).played], np.full(4 * BOTS, -1))
    assert alone.prior == PriorSigmas(first=alone.prior.first), "nobody has a later version"


def test_the_fit_keeps_a_given_prior_for_strength_changes_between_bot_versions() -> None:
    one = world(1.0, games=10)
    assert fit_ratings([one.played], one.before, PriorSigmas(later=0.3)).prior == PriorSigmas(later=0.3)


@pytest.mark.slow
def test_the_same_matches_give_the_same_estimated_prior_and_identical_ratings_in_any_order() -> None:
    one, draw = world(0.2, games=8), np.random.default_rng(4)
    played = one.played
    first = fit_ratings([played], one.before)
    for _ in range(ORDERS):
        order = draw.permutation(len(played.versions))
        court = fit_ratings([MatchArrays(played.versions[order], played.places[order])], one.before)
        assert court.prior == first.prior
        assert [court.rated(bot) for bot in range(4 * BOTS)] == [first.rated(bot) for bot in range(4 * BOTS)]
    warm = fit_ratings([played], one.before, start=draw.normal(0, 1, len(first.x)))
    assert [warm.rated(bot) for bot in range(4 * BOTS)] == [first.rated(bot) for bot in range(4 * BOTS)]


def test_the_fast_method_and_the_full_inverse_matrix_give_the_same_variance_of_version_changes() -> None:
    before, draw = np.array([-1, 0, 0, 2, -1, 4]), np.random.default_rng(6)
    later = np.flatnonzero(before >= 0)
    own, links = draw.uniform(4, 9, 6), np.where(before < 0, 7.0, draw.normal(0, 1, 6))
    whole = np.diag(own)
    whole[later, before[later]] = whole[before[later], later] = links[later]
    inverse = np.linalg.inv(whole)
    differences = np.eye(6)[later] - np.eye(6)[before[later]]
    assert np.allclose(variances_within(own, links, before), np.diag(differences @ inverse @ differences.T))
