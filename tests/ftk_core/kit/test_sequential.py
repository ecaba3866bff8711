"""The test of `ftk compare`, tried on block values of which the mean is known: errors, length, interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from random import Random
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftk_core.kit.sequential import (
    GUESS,
    Claim,
    Evidence,
    add,
    conclude,
    estimate,
    evidence_of,
    expected,
    fixed_size,
    log_ratio,
    longest,
    luck_of,
)
from tests.support.block_values import DRAWN, LOPSIDED, MEASURED, SHORT, Values, by_lot, moved, variance_of
from tests.support.lengths import either

TESTS = either(500, 2000)
"""At h0 and at h1 each; the long form has as many as the issue asks for."""
LUCK = 2.33
"""So many standard errors of the simulation's own above what is allowed are its luck: once in a hundred."""
MOST = 0.6
"""Of a test of fixed size."""
values = st.lists(st.floats(-1, 1), min_size=1, max_size=60)


def claim_for(seats: int, h1: float, h0: float = 0.0, alpha: float = 0.05, beta: float = 0.05) -> Claim:
    return Claim(h0=h0, h1=h1, alpha=alpha, beta=beta, luck=luck_of(seats))


def blocks(values: Values, random: Random) -> Iterator[float]:
    """Yield block values without end."""
    while True:
        yield from random.choices(list(values), list(values.values()), k=256)


def decided(claim: Claim, values: Values, random: Random) -> tuple[bool, Evidence]:
    """Return whether one test says better, and what it had seen by then."""
    evidence = Evidence()
    for value in blocks(values, random):
        evidence = add(evidence, value)
        if (said := conclude(claim, evidence)) != "open":
            return said == "better", evidence
    raise AssertionError("blocks have no end")


def simulated(claim: Claim, values: Mapping[float, float], truth: float) -> tuple[float, float, float]:
    """Return how often it says better, after how many blocks as a median, as a part of a test of fixed size."""
    random, around = Random(f"{truth} {sorted(values)}"), moved(values, truth)
    done = [decided(claim, around, random) for _ in range(TESTS)]
    taken = median(evidence.blocks for _, evidence in done)
    return sum(better for better, _ in done) / TESTS, taken, taken / fixed_size(claim, variance_of(around))


def allowed(rate: float) -> float:
    return rate + LUCK * math.sqrt(rate * (1 - rate) / TESTS)


def within(claim: Claim, wrong: float, missed: float) -> bool:
    return wrong <= allowed(claim.alpha) and missed <= allowed(claim.beta)


@pytest.mark.parametrize("name", sorted(MEASURED | DRAWN))
def test_errors_are_within_alpha_and_beta_after_six_tenths_of_a_test_of_fixed_size(name: str) -> None:
    seats, h0, h1, values = (MEASURED | DRAWN)[name]
    claim = claim_for(seats, h1, h0)
    wrong, *length = simulated(claim, values, claim.h0)
    right, *length_at_h1 = simulated(claim, values, claim.h1)
    figures = f"alpha {wrong:.4f}, beta {1 - right:.4f}, blocks and their part of a fixed test {length} {length_at_h1}"
    assert within(claim, wrong, 1 - right), figures
    assert max(length[1], length_at_h1[1]) <= MOST, figures


@pytest.mark.parametrize("name", sorted(SHORT))
def test_what_a_test_of_fixed_size_finds_in_few_blocks_takes_no_more_than_those(name: str) -> None:
    seats, h0, h1, values = SHORT[name]
    claim = claim_for(seats, h1, h0)
    wrong, _, length = simulated(claim, values, claim.h0)
    right, _, length_at_h1 = simulated(claim, values, claim.h1)
    assert within(claim, wrong, 1 - right)
    assert max(length, length_at_h1) <= 1


@pytest.mark.parametrize("name", sorted(LOPSIDED))
def test_what_seldom_happens_is_missed_no_more_often_than_beta(name: str) -> None:
    seats, h0, h1, values = LOPSIDED[name]
    claim = claim_for(seats, h1, h0)
    wrong = simulated(claim, values, claim.h0)[0] if min(values) < 0 else 0.0
    assert within(claim, wrong, 1 - simulated(claim, values, claim.h1)[0])


def test_other_errors_than_one_in_twenty_are_kept_too() -> None:
    seats, *_, values = DRAWN["by lot at 4"]
    claim = claim_for(seats, 0.1, alpha=0.01, beta=0.2)
    assert within(claim, simulated(claim, values, claim.h0)[0], 1 - simulated(claim, values, claim.h1)[0])


def test_the_interval_holds_the_truth_wherever_the_test_stops() -> None:
    seats, h0, h1, values = DRAWN["by lot at 4"]
    claim, random, missed = claim_for(seats, h1, h0), Random("interval"), 0
    around = moved(values, 0.02)
    for _ in range(TESTS):
        found = estimate(claim, decided(claim, around, random)[1])
        missed += not found.low <= 0.02 <= found.high
    assert missed / TESTS <= allowed(0.05)


@given(values)
def test_the_ratio_is_that_of_the_likelihoods_with_the_variance_averaged_out(seen: list[float]) -> None:
    claim = claim_for(4, 0.05)
    shape, scale = GUESS / 2, GUESS * claim.luck / 2

    def likelihood(mean: float) -> float:
        """Return the logarithm of the normal likelihood, averaged over precisions that are gamma distributed."""
        off, n = sum((value - mean) ** 2 for value in seen), len(seen)
        return math.lgamma(shape + n / 2) - (shape + n / 2) * math.log(scale + off / 2)

    assert log_ratio(claim, evidence_of(seen)) == pytest.approx(likelihood(0.05) - likelihood(0), abs=1e-9)


@given(values)
def test_the_other_way_round_says_the_opposite(seen: list[float]) -> None:
    there = Claim(h0=-0.05, h1=0.05, alpha=0.05, beta=0.05, luck=luck_of(3))
    back = evidence_of(-value for value in seen)
    assert log_ratio(there, evidence_of(seen)) == pytest.approx(-log_ratio(there, back), abs=1e-9)


@given(st.integers(2, 12), st.integers(1, 10))
def test_a_few_blocks_that_are_all_the_same_decide_nothing(seats: int, count: int) -> None:
    assert conclude(claim_for(seats, 0.05), evidence_of([0.0] * count)) == "open"


@pytest.mark.parametrize("seats", range(2, 13))
def test_luck_is_the_variance_of_a_block_in_which_all_places_are_drawn_by_lot(seats: int) -> None:
    assert luck_of(seats) == pytest.approx(variance_of(by_lot(seats)))


def test_a_fixed_test_is_as_long_as_text_books_have_it() -> None:
    claim = claim_for(2, 0.1)
    assert fixed_size(claim, 1.0) == math.ceil((1.6448536 * 2) ** 2 / 0.01)


def test_the_limit_is_four_times_what_is_expected_midway_where_the_most_blocks_are_needed() -> None:
    claim = claim_for(2, 0.1)
    most = expected(claim, claim.luck, 0.05)
    assert most == pytest.approx(math.log(20) ** 2 * claim.luck / 0.01)
    assert longest(claim) == math.ceil(4 * most)
    assert max(expected(claim, claim.luck, mean) for mean in (0.0, 0.03, 0.07, 0.1)) < most


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"h0": 0.1}, "h0 0.1 must lie below h1 0.05"),
        ({"h1": math.nan}, "h1 nan"),
        ({"alpha": 0.0}, "alpha 0"),
        ({"beta": 0.5}, "beta 0.5"),
    ],
)
def test_a_claim_that_cannot_be_decided_is_refused(wrong: dict[str, float], said: str) -> None:
    terms = {"h0": 0.0, "h1": 0.05, "alpha": 0.05, "beta": 0.05, "luck": 0.25} | wrong
    with pytest.raises(ValueError, match=said):
        Claim(**terms)
