"""The shares of bot, seat, deal and play in a result are recovered from simulated matches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from ftk_core.league.statistics.variance_components import (
    MIN_REPEATED_DEALS,
    SOURCES,
    MatchResultArrays,
    result_arrays_of,
    variance_shares,
)

KNOWN = {"bot": 0.3, "seat": 0.1, "deal": 0.2, "play": 0.4}
WORLDS = 24


def spread(effects: NDArray[np.float64], variance: float) -> NDArray[np.float64]:
    """Return effects scaled to exactly that variance, because the shares are those of these bots and seats."""
    centred = effects - effects.mean()
    return np.asarray(centred * np.sqrt(variance / centred.var(ddof=1)))


def world(seed: int, seats: int, games: int, known: dict[str, float] = KNOWN, deals: int = 150) -> MatchResultArrays:
    """Return match results in which each cause has its known share."""
    draw = np.random.default_rng(seed)
    bots = spread(draw.normal(size=12), known["bot"])
    seat = spread(draw.normal(size=seats), known["seat"])
    rows = []
    for deal in range(deals):
        who, hand = draw.permutation(12)[:seats], draw.normal(size=seats) * known["deal"] ** 0.5
        for turn in range(games):
            sit = np.roll(who, -turn)
            y = bots[sit] + seat + hand + draw.normal(size=seats) * known["play"] ** 0.5
            rows.append((deal, sit, y - y.mean()))
    deal_of, sat, results = map(np.array, zip(*rows, strict=True))
    return MatchResultArrays(deals=deal_of, bots=sat, results=results)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "games"), [(2, 2), (4, 4), (4, 2)])
def test_estimated_shares_of_skill_and_luck_are_unbiased_and_have_correct_confidence_intervals(
    seats: int, games: int
) -> None:
    found = [variance_shares(world(seed, seats, games)) or {} for seed in range(WORLDS)]
    held = Counter(name for each in found for name in SOURCES if each[name].low <= KNOWN[name] <= each[name].high)
    assert sum(held.values()) >= 0.86 * WORLDS * len(SOURCES), "about 95 % of them"
    for name in SOURCES:
        assert np.mean([each[name].value for each in found]) == pytest.approx(KNOWN[name], abs=0.04)


def test_the_variance_shares_of_skill_and_luck_add_up_to_one() -> None:
    found = variance_shares(world(1, 3, 3))
    assert found
    assert sum(share.value for share in found.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", SOURCES)
def test_a_single_cause_of_results_gets_nearly_all_of_the_variance(name: str) -> None:
    found = variance_shares(world(5, 4, 4, {each: 0.97 if each == name else 0.01 for each in SOURCES}))
    assert found
    assert found[name].value > 0.9


def test_estimating_the_shares_of_skill_and_luck_twice_from_equal_matches_gives_equal_shares() -> None:
    assert variance_shares(world(3, 2, 2)) == variance_shares(world(3, 2, 2))


def test_estimating_the_share_of_luck_needs_repeated_deals_and_bots_that_played_several_deals() -> None:
    assert variance_shares(world(1, 2, 2, deals=MIN_REPEATED_DEALS - 1)) is None
    assert variance_shares(world(1, 2, 1, deals=2 * MIN_REPEATED_DEALS)) is None
    lonely = world(1, 2, 2, deals=MIN_REPEATED_DEALS)
    strangers = MatchResultArrays(
        deals=lonely.deals, bots=lonely.bots + 12 * lonely.deals[:, None], results=lonely.results
    )
    assert variance_shares(strangers) is None


def test_the_share_of_luck_is_undefined_if_all_results_are_equal() -> None:
    even = world(1, 2, 2)
    assert (
        variance_shares(MatchResultArrays(deals=even.deals, bots=even.bots, results=np.full(even.results.shape, 0.5)))
        is None
    )


def test_the_result_of_a_seat_is_the_fraction_of_opponents_placed_behind_it_plus_half_of_the_tied_ones() -> None:
    places = np.array([[1, 2, 3, 4], [1, 1, 3, 3], [4, 1, 2, 2]])
    found = result_arrays_of(np.arange(3), np.arange(12).reshape(3, 4), places).results
    assert np.allclose(found, [[1, 2 / 3, 1 / 3, 0], [5 / 6, 5 / 6, 1 / 6, 1 / 6], [0, 1, 0.5, 0.5]])
