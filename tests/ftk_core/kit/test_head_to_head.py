"""Head to head at two seats: pairs of matches, errors within bounds, and hardly more games than a pentanomial GSPRT."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ftk_core.kit.arena import Series
from ftk_core.kit.blocks import CANDIDATE, REFERENCE, Comparison, block_of
from ftk_core.kit.cli import app
from ftk_core.kit.comparing import GUESS_OF_A_PAIR, LUCK_OF_A_PAIR
from ftk_core.kit.sequential import Claim, add, conclude, elo_of, expected, longest, share_lead
from ftk_core.kit.sequential import Evidence as Seen
from tests.support.lengths import either
from tests.support.pentanomial import PAIRS, VALUES, gsprt, outcomes_with

TESTS = either(200, 2000)
LUCK = 2.33
"""So many of the simulation's own standard errors above what is allowed are its luck: once in a hundred."""
LONGEST = 6000
MORE_OF_TWINS = 1.4
"""If 21 of 25 pairs are even, the belief about the variance costs more: measured, not bound to 1.2."""


def claim_for(elo1: float = 50, elo0: float = 0) -> Claim:
    h0, h1 = share_lead(elo0), share_lead(elo1)
    return Claim(h0=h0, h1=h1, alpha=0.05, beta=0.05, luck=LUCK_OF_A_PAIR, guess=GUESS_OF_A_PAIR)


def ended(claim: Claim, values: list[float]) -> tuple[int, str]:
    """Return after how many pairs our test ends, and what it says."""
    seen = Seen()
    for value in values:
        seen = add(seen, value)
        if (said := conclude(claim, seen)) != "open":
            return seen.blocks, said
    return seen.blocks, "open"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PAIRS))
@pytest.mark.parametrize("truth", [0, 50])
def test_it_takes_at_most_1_2_times_the_games_of_a_pentanomial_gsprt_with_the_same_errors(
    name: str, truth: int
) -> None:
    claim = claim_for()
    chances = outcomes_with(PAIRS[name], share_lead(truth))
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
def test_the_number_of_games_told_beforehand_is_about_that_which_is_needed(truth: float, elo1: float) -> None:
    claim = claim_for(elo1)
    chances = outcomes_with(PAIRS["by lot"], share_lead(truth))
    draws = np.random.default_rng(1).choice(5, size=(either(60, 500), LONGEST), p=chances)
    taken = float(np.mean([ended(claim, row.tolist())[0] for row in VALUES[draws]]))
    assert 0.75 <= taken / expected(claim, 0.5, share_lead(truth)) <= 1.35


def test_even_midway_hardly_any_test_stays_open_at_the_default_limit() -> None:
    claim = claim_for()
    chances = outcomes_with(PAIRS["by lot"], share_lead(25))
    draws = np.random.default_rng(2).choice(5, size=(either(100, 2000), longest(claim)), p=chances)
    left = [ended(claim, row.tolist())[1] == "open" for row in VALUES[draws]]
    assert sum(left) / len(left) <= 0.03


@given(st.floats(-0.99, 0.99), st.floats(-2.9, 2.9), st.floats(0.05, 1))
def test_what_is_still_needed_is_never_negative_and_largest_between_h0_and_h1(
    mean: float, ratio: float, spread: float
) -> None:
    claim = claim_for()
    left, half = expected(claim, spread, mean, ratio), expected(claim, spread, (claim.h0 + claim.h1) / 2)
    assert 0 <= left <= half * (1 + 1e-6)


@given(st.floats(-1200, 1200))
def test_elo_points_and_leads_say_the_same(elo: float) -> None:
    assert elo_of(share_lead(elo)) == pytest.approx(elo, abs=1e-6)


def test_a_pair_is_one_deal_with_the_seats_swapped_and_the_same_luck_for_each_seat() -> None:
    series = Series(game="pig", bots=("old", "new"), seed="1")
    pair = block_of(Comparison(series=series, seats=2, claim=claim_for(), most=9, head_to_head=True), 4)
    assert [fixture.seating for fixture in pair] == [(CANDIDATE, REFERENCE), (REFERENCE, CANDIDATE)]
    assert {fixture.deal for fixture in pair} == {4}


def ftk(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["compare", "pig", "random", "hold20", *words, "--jobs", "1"])
    return done.exit_code, done.stdout, done.stderr


def test_two_versions_meet_each_other_until_it_is_known() -> None:
    code, said, error = ftk("--head-to-head", "--elo1", "300", "--json")
    assert code == 0, error
    found = json.loads(said)
    assert (found["conclusion"], found["against"], found["head_to_head"]) == ("better", [], True)
    assert found["matches"] == 2 * found["blocks"]
    assert "midway" in error


def test_what_stays_open_says_how_many_more_matches_would_decide_it() -> None:
    code, said, error = ftk("--head-to-head", "--elo1", "300", "--max-blocks", "2")
    assert code == 3, error
    assert "more matches decide it" in said


@pytest.mark.parametrize(
    ("words", "refusal"),
    [(("--seats", "3"), "for tables of 2 \\(got 3\\)"), (("--elo1", "-5"), "--elo0 must be less than --elo1")],
)
def test_a_test_that_cannot_be_held_is_refused(words: tuple[str, ...], refusal: str) -> None:
    code, _, error = ftk("--head-to-head", *words)
    assert code == 2
    assert re.search(refusal, error.replace("\n", " "))
