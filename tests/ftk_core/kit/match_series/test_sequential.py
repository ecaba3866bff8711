"""The sequential test of `ftk compare` on block values with a known mean: errors, length, interval."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from random import Random
from statistics import median

import pytest
from hypothesis import given, strategies as st

from ftk_core.kit.match_series.sequential_testing import (
    GUESS,
    ComparedHypotheses,
    SameSeedBlockStatistics,
    add_block,
    chance_variance,
    conclude,
    default_block_limit,
    estimate,
    expected_blocks,
    fixed_test_blocks,
    log_ratio,
)
from tests.support.block_values import (
    DRAWN,
    LOPSIDED,
    MEASURED,
    SHORT,
    Values,
    random_place_values,
    shift_mean,
    variance_of,
)
from tests.support.lengths import short_or_long

TESTS = short_or_long(500, 2000)
"""Number of simulations at h0 and at h1 each."""
LUCK = 2.33
"""Tolerance in standard errors of the simulation. Chance exceeds it once in a hundred."""
MOST = 0.6
"""Maximum length as a fraction of that of a test of fixed size."""
values = st.lists(st.floats(-1, 1), min_size=1, max_size=60)


def claim_for(seats: int, h1: float, h0: float = 0.0, alpha: float = 0.05, beta: float = 0.05) -> ComparedHypotheses:
    return ComparedHypotheses(h0=h0, h1=h1, alpha=alpha, beta=beta, luck=chance_variance(seats))


def blocks(values: Values, random: Random) -> Iterator[float]:
    """Yield block values without end."""
    while True:
        yield from random.choices(list(values), list(values.values()), k=256)


def evidence_of(values: Iterable[float]) -> SameSeedBlockStatistics:
    return reduce(add_block, values, SameSeedBlockStatistics())


def decided(claim: ComparedHypotheses, values: Values, random: Random) -> tuple[bool, SameSeedBlockStatistics]:
    """Return True if one test concludes `better`, and the evidence at its end."""
    evidence = SameSeedBlockStatistics()
    for value in blocks(values, random):
        evidence = add_block(evidence, value)
        if (said := conclude(claim, evidence)) != "open":
            return said == "better", evidence
    raise AssertionError("blocks have no end")


def simulated(claim: ComparedHypotheses, values: Mapping[float, float], truth: float) -> tuple[float, float, float]:
    """Return the rate of `better`, the median number of blocks, and its ratio to a test of fixed size."""
    random, around = Random(f"{truth} {sorted(values)}"), shift_mean(values, truth)
    done = [decided(claim, around, random) for _ in range(TESTS)]
    taken = median(evidence.blocks for _, evidence in done)
    return sum(better for better, _ in done) / TESTS, taken, taken / fixed_test_blocks(claim, variance_of(around))


def allowed(rate: float) -> float:
    return rate + LUCK * math.sqrt(rate * (1 - rate) / TESTS)


def within(claim: ComparedHypotheses, wrong: float, missed: float) -> bool:
    return wrong <= allowed(claim.alpha) and missed <= allowed(claim.beta)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MEASURED | DRAWN))
def test_a_sequential_test_needs_60_percent_of_the_matches_of_an_equally_reliable_fixed_size_test(
    name: str,
) -> None:
    seats, h0, h1, values = (MEASURED | DRAWN)[name]
    claim = claim_for(seats, h1, h0)
    wrong, *length = simulated(claim, values, claim.h0)
    right, *length_at_h1 = simulated(claim, values, claim.h1)
    figures = f"alpha {wrong:.4f}, beta {1 - right:.4f}, blocks and their part of a fixed test {length} {length_at_h1}"
    assert within(claim, wrong, 1 - right), figures
    assert max(length[1], length_at_h1[1]) <= MOST, figures


@pytest.mark.parametrize("name", sorted(SHORT))
def test_even_a_short_fixed_size_test_needs_at_least_as_many_matches_as_the_sequential_test(name: str) -> None:
    seats, h0, h1, values = SHORT[name]
    claim = claim_for(seats, h1, h0)
    wrong, _, length = simulated(claim, values, claim.h0)
    right, _, length_at_h1 = simulated(claim, values, claim.h1)
    assert within(claim, wrong, 1 - right)
    assert max(length, length_at_h1) <= 1


@pytest.mark.parametrize("name", sorted(LOPSIDED))
def test_the_sequential_test_keeps_its_error_rates_if_versions_differ_only_in_rare_situations(name: str) -> None:
    seats, h0, h1, values = LOPSIDED[name]
    claim = claim_for(seats, h1, h0)
    wrong = simulated(claim, values, claim.h0)[0] if min(values) < 0 else 0.0
    assert within(claim, wrong, 1 - simulated(claim, values, claim.h1)[0])


def test_the_sequential_test_respects_requested_error_rates_of_1_and_20_percent() -> None:
    seats, *_, values = DRAWN["by lot at 4"]
    claim = claim_for(seats, 0.1, alpha=0.01, beta=0.2)
    assert within(claim, simulated(claim, values, claim.h0)[0], 1 - simulated(claim, values, claim.h1)[0])


@pytest.mark.slow
def test_the_confidence_interval_covers_the_true_mean_wherever_the_sequential_test_stops() -> None:
    seats, h0, h1, values = DRAWN["by lot at 4"]
    claim, random, missed = claim_for(seats, h1, h0), Random("interval"), 0
    around = shift_mean(values, 0.02)
    for _ in range(TESTS):
        found = estimate(claim, decided(claim, around, random)[1])
        missed += not found.low <= 0.02 <= found.high
    assert missed / TESTS <= allowed(0.05)


@given(values)
def test_the_likelihood_ratio_compares_likelihoods_averaged_over_the_unknown_variance(seen: list[float]) -> None:
    claim = claim_for(4, 0.05)
    shape, scale = GUESS / 2, GUESS * claim.luck / 2

    def likelihood(mean: float) -> float:
        """Return the logarithm of the normal likelihood, averaged over gamma-distributed precisions."""
        off, n = sum((value - mean) ** 2 for value in seen), len(seen)
        return math.lgamma(shape + n / 2) - (shape + n / 2) * math.log(scale + off / 2)

    assert log_ratio(claim, evidence_of(seen)) == pytest.approx(likelihood(0.05) - likelihood(0), abs=1e-9)


@given(values)
def test_negating_all_observations_negates_the_log_likelihood_ratio(seen: list[float]) -> None:
    there = ComparedHypotheses(h0=-0.05, h1=0.05, alpha=0.05, beta=0.05, luck=chance_variance(3))
    back = evidence_of(-value for value in seen)
    assert log_ratio(there, evidence_of(seen)) == pytest.approx(-log_ratio(there, back), abs=1e-9)


@given(st.integers(2, 12), st.integers(1, 10))
def test_a_few_identical_observations_leave_the_sequential_test_undecided(seats: int, count: int) -> None:
    assert conclude(claim_for(seats, 0.05), evidence_of([0.0] * count)) == "open"


@pytest.mark.parametrize("seats", range(2, 13))
def test_the_assumed_prior_variance_equals_the_variance_of_match_blocks_with_random_places(seats: int) -> None:
    assert chance_variance(seats) == pytest.approx(variance_of(random_place_values(seats)))


def test_the_length_of_a_fixed_size_test_follows_the_textbook_formula() -> None:
    claim = claim_for(2, 0.1)
    assert fixed_test_blocks(claim, 1.0) == math.ceil((1.6448536 * 2) ** 2 / 0.01)


def test_the_sequential_test_stops_by_default_at_four_times_its_largest_expected_sample_size() -> None:
    claim = claim_for(2, 0.1)
    most = expected_blocks(claim, claim.luck, 0.05)
    assert most == pytest.approx(math.log(20) ** 2 * claim.luck / 0.01)
    assert default_block_limit(claim) == math.ceil(4 * most)
    assert max(expected_blocks(claim, claim.luck, mean) for mean in (0.0, 0.03, 0.07, 0.1)) < most


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"h0": 0.1}, "h0 0.1 must lie below h1 0.05"),
        ({"h1": math.nan}, "h1 nan"),
        ({"alpha": 0.0}, "alpha 0"),
        ({"beta": 0.5}, "beta 0.5"),
    ],
)
def test_invalid_hypotheses_or_error_rates_are_refused(wrong: dict[str, float], said: str) -> None:
    terms = {"h0": 0.0, "h1": 0.05, "alpha": 0.05, "beta": 0.05, "luck": 0.25} | wrong
    with pytest.raises(ValueError, match=said):
        ComparedHypotheses(**terms)
