"""Head to head at two seats: pairs of matches, bounded errors, few more games than a pentanomial GSPRT."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.commands.compare import PAIR_LUCK_VARIANCE, PRIOR_PAIRS
from ftk_core.kit.match_series.local_matches import MatchSeries
from ftk_core.kit.match_series.sequential_testing import (
    ComparedHypotheses,
    SameSeedBlockStatistics as Seen,
    add_block,
    conclude,
    default_block_limit,
    elo_of,
    elo_to_win_difference,
    expected_blocks,
)
from ftk_core.kit.match_series.version_comparison_matches import CANDIDATE, REFERENCE, VersionComparison, block_of
from tests.support.lengths import short_or_long
from tests.support.pentanomial import PAIRS, VALUES, gsprt, outcomes_with

TESTS = short_or_long(200, 2000)
LUCK = 2.33
"""Tolerance in standard errors of the simulation. Chance exceeds it once in a hundred."""
LONGEST = 6000
MORE_OF_TWINS = 1.4
"""Maximum ratio of games to those of the GSPRT if 21 of 25 pairs are even. Otherwise it is 1.2."""


def claim_for(elo1: float = 50, elo0: float = 0) -> ComparedHypotheses:
    h0, h1 = elo_to_win_difference(elo0), elo_to_win_difference(elo1)
    return ComparedHypotheses(h0=h0, h1=h1, alpha=0.05, beta=0.05, luck=PAIR_LUCK_VARIANCE, guess=PRIOR_PAIRS)


def ended(claim: ComparedHypotheses, values: list[float]) -> tuple[int, str]:
    """Return the number of pairs after which our test ends, and its conclusion."""
    seen = Seen()
    for value in values:
        seen = add_block(seen, value)
        if (said := conclude(claim, seen)) != "open":
            return seen.blocks, said
    return seen.blocks, "open"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PAIRS))
@pytest.mark.parametrize("truth", [0, 50])
def test_the_sequential_test_needs_at_most_40_percent_more_matches_than_the_generalized_sprt(
    name: str, truth: int
) -> None:
    claim = claim_for()
    chances = outcomes_with(PAIRS[name], elo_to_win_difference(truth))
    draws = np.random.default_rng(truth + len(name)).choice(5, size=(TESTS, LONGEST // 4), p=chances)
    ours = [ended(claim, row.tolist()) for row in VALUES[draws]]
    pairs, ratio = gsprt(draws, claim.h0, claim.h1)
    wrong = sum(said != ("better" if truth else "not better") for _, said in ours) / TESTS
    theirs = float(np.mean((ratio > 0) != (truth > 0)))
    games = 2 * float(np.mean([taken for taken, _ in ours])), 2 * float(pairs.mean())
    allowed = 0.05 + LUCK * math.sqrt(0.05 * 0.95 / TESTS)
    figures = f"games {games[0]:.0f}, of the GSPRT {games[1]:.0f}; errors {wrong:.3f}, of the GSPRT {theirs:.3f}"
    print(figures)  # noqa: T201 - for whoever writes the decision
    assert wrong <= allowed, figures
    assert games[0] <= (MORE_OF_TWINS if name == "a twin" else 1.2) * games[1], figures


@pytest.mark.parametrize(("truth", "elo1"), [(0, 50), (25, 50), (50, 50), (0, 100), (50, 100)])
def test_the_predicted_number_of_games_of_a_head_to_head_test_is_close_to_the_number_needed(
    truth: float, elo1: float
) -> None:
    claim = claim_for(elo1)
    chances = outcomes_with(PAIRS["by lot"], elo_to_win_difference(truth))
    draws = np.random.default_rng(1).choice(5, size=(short_or_long(60, 500), LONGEST), p=chances)
    taken = float(np.mean([ended(claim, row.tolist())[0] for row in VALUES[draws]]))
    assert 0.75 <= taken / expected_blocks(claim, 0.5, elo_to_win_difference(truth)) <= 1.35


def test_at_most_3_percent_of_comparisons_stay_undecided_if_the_true_strength_is_between_both_hypotheses() -> None:
    claim = claim_for()
    chances = outcomes_with(PAIRS["by lot"], elo_to_win_difference(25))
    draws = np.random.default_rng(2).choice(5, size=(short_or_long(100, 2000), default_block_limit(claim)), p=chances)
    left = [ended(claim, row.tolist())[1] == "open" for row in VALUES[draws]]
    assert sum(left) / len(left) <= 0.03


@given(st.floats(-0.99, 0.99), st.floats(-2.9, 2.9), st.floats(0.05, 1))
def test_the_predicted_number_of_further_matches_is_never_negative_and_largest_between_the_hypotheses(
    mean: float, ratio: float, spread: float
) -> None:
    claim = claim_for()
    left, half = expected_blocks(claim, spread, mean, ratio), expected_blocks(claim, spread, (claim.h0 + claim.h1) / 2)
    assert 0 <= left <= half * (1 + 1e-6)


@given(st.floats(-1200, 1200))
def test_converting_an_elo_difference_to_an_expected_score_and_back_gives_the_same_value(elo: float) -> None:
    assert elo_of(elo_to_win_difference(elo)) == pytest.approx(elo, abs=1e-6)


def test_a_pair_of_head_to_head_games_uses_the_same_deal_with_swapped_seats() -> None:
    series = MatchSeries(game="pig", bots=("old", "new"), seed="1")
    pair = block_of(VersionComparison(series=series, seats=2, claim=claim_for(), most=9, head_to_head=True), 4)
    assert [fixture.seating for fixture in pair] == [(CANDIDATE, REFERENCE), (REFERENCE, CANDIDATE)]
    assert {fixture.deal for fixture in pair} == {4}


def ftk(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["compare", "pig", "random", "hold20", *words, "--jobs", "1"])
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.slow
def test_ftk_compare_head_to_head_plays_two_versions_until_the_comparison_is_decided() -> None:
    code, said, error = ftk("--head-to-head", "--elo1", "300", "--json")
    assert code == 0, error
    found = json.loads(said)
    assert (found["conclusion"], found["against"], found["head_to_head"]) == ("better", [], True)
    assert found["matches"] == 2 * found["blocks"]
    assert "halfway between" in error


@pytest.mark.slow
def test_an_undecided_comparison_prints_how_many_more_matches_would_decide_it() -> None:
    code, said, error = ftk("--head-to-head", "--elo1", "300", "--max-blocks", "2")
    assert code == 3, error
    number = re.search(r"about (\d+) more matches will decide it", said.replace("\n", " "))
    assert number
    decided = json.loads(ftk("--head-to-head", "--elo1", "300", "--json")[1])
    assert int(number[1]) == pytest.approx(decided["matches"] - 4, abs=2), "within a pair of what is needed"


@pytest.mark.parametrize(
    ("words", "refusal"),
    [(("--seats", "3"), "for tables of 2 \\(got 3\\)"), (("--elo1", "-5"), "--elo0 must be less than --elo1")],
)
def test_a_head_to_head_comparison_with_invalid_options_is_refused(words: tuple[str, ...], refusal: str) -> None:
    code, _, error = ftk("--head-to-head", *words)
    assert code == 2
    assert re.search(refusal, error.replace("\n", " "))
