"""How much versions differ is learnt from the matches, and only where they tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ftk_core.league.court import Court, Played, Prior, fit
from ftk_core.league.court.widths import DOUBT, WIDTHS, variances_within
from tests.support.court import BOTS, Changing, changing
from tests.support.orders import ORDERS


def world(step: float, games: int = 50, size: int = 4, seed: int = 3) -> Changing:
    return changing(np.random.default_rng(seed), games, size, versions=4, step=step)


def learnt(one: Changing) -> float:
    return fit([one.played], one.before).prior.later


def evidence(court: Court, played: Played) -> float:
    """Return the logarithm of how likely the matches are under a fit's prior, by Laplace and with every variance."""
    x, precision = court.x, court.believed.precision.toarray()
    first = court.layout.seats[played.seats]
    order = played.places.argsort(axis=1)
    strengths = np.take_along_axis(x[played.versions] + x[first : first + played.seats], order, axis=1)
    left = np.log(np.cumsum(np.exp(strengths)[:, ::-1], axis=1))[:, ::-1]
    believed = np.linalg.slogdet(precision)[1] - x @ precision @ x
    width = -((math.log(court.prior.later / Prior().later) / DOUBT) ** 2)
    return float((strengths - left).sum() + (believed + width + np.linalg.slogdet(court.covariance)[1]) / 2)


@pytest.mark.parametrize("step", [0.2, 0.5, 1.0])
def test_the_width_is_learnt_from_how_much_bots_change(step: float) -> None:
    assert step / 1.5 <= learnt(world(step)) <= step * 1.5


@pytest.mark.parametrize(("step", "games", "size"), [(0.2, 20, 2), (0.5, 50, 4), (1.0, 10, 8)])
def test_the_width_is_that_of_the_highest_evidence_or_the_next_wider_one(step: float, games: int, size: int) -> None:
    one = world(step, games, size)
    known = [evidence(fit([one.played], one.before, Prior(later=width)), one.played) for width in WIDTHS]
    assert WIDTHS.index(learnt(one)) - int(np.argmax(known)) in {0, 1}


def test_on_few_matches_the_width_is_the_usual_one() -> None:
    few = fit([Played(np.array([[0, 1], [2, 1]]), np.array([[1, 2], [2, 1]]))], np.array([-1, -1, 0]))
    assert few.prior == Prior()
    alone = fit([world(1.0).played], np.full(4 * BOTS, -1))
    assert alone.prior == Prior(first=alone.prior.first), "nobody has a later version"


def test_a_prior_that_is_given_is_kept() -> None:
    one = world(1.0, games=10)
    assert fit([one.played], one.before, Prior(later=0.3)).prior == Prior(later=0.3)


@pytest.mark.slow
def test_the_same_matches_give_the_same_width_and_digits_in_all_orders() -> None:
    one, draw = world(0.2, games=8), np.random.default_rng(4)
    played = one.played
    first = fit([played], one.before)
    for _ in range(ORDERS):
        order = draw.permutation(len(played.versions))
        court = fit([Played(played.versions[order], played.places[order])], one.before)
        assert court.prior == first.prior
        assert [court.rated(bot) for bot in range(4 * BOTS)] == [first.rated(bot) for bot in range(4 * BOTS)]
    warm = fit([played], one.before, start=draw.normal(0, 1, len(first.x)))
    assert [warm.rated(bot) for bot in range(4 * BOTS)] == [first.rated(bot) for bot in range(4 * BOTS)]


def test_variances_bot_by_bot_are_those_of_the_inverse() -> None:
    before, draw = np.array([-1, 0, 0, 2, -1, 4]), np.random.default_rng(6)
    later = np.flatnonzero(before >= 0)
    own, links = draw.uniform(4, 9, 6), np.where(before < 0, 7.0, draw.normal(0, 1, 6))
    whole = np.diag(own)
    whole[later, before[later]] = whole[before[later], later] = links[later]
    inverse = np.linalg.inv(whole)
    differences = np.eye(6)[later] - np.eye(6)[before[later]]
    assert np.allclose(variances_within(own, links, before), np.diag(differences @ inverse @ differences.T))
