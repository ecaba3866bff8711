"""Deviation ratings of bots, and cycles of three bots that beat each other in a circle.

Adding a copy of a bot changes no deviation rating.

Source: Marris and others, Deviation Ratings: A General, Clone-Invariant Rating Method, 2025, arXiv 2502.11645.
"""
# If bots beat each other in a circle, ratings such as Elo depend on how often each bot plays: ten copies of one bot
# change all others. A deviation rating is the score against the mix of bots that makes the best score of any bot as low
# as possible, then the second best, and so on. A copy of a bot adds no new opponent to this mix.

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.stats import binom

Margins = NDArray[np.float64]
"""[bot, opponent]: share of matches in which the bot is ahead, minus the share in which it is behind."""
PRIOR_MEETINGS = 2.0
"""Prior: number of earlier meetings, with equal results, assumed for each pair."""
TOLERANCE = 1e-10
"""Tolerance of the linear programs, the smallest that the solver accepts."""
SCORE_TOLERANCES = (1e-9, 1e-8, 1e-7, 1e-6)
"""Amounts by which scores already fixed may be exceeded, tried in turn until the linear program has a solution."""
ROUNDING = 1e-6
"""Number of matches by which a sum of results may be too small, because it is computed from a rounded margin."""
MIN_DUAL_PRICE = 1e-6
"""Dual price below which a price is taken for a rounding error. Prices add up to 1, so the largest is greater."""
MAX_ERROR_PROBABILITY = 0.05
"""Maximum probability that a margin of a listed cycle is due to luck, and maximum expected number of false cycles."""


class IntransitiveBotCycle(msgspec.Struct, frozen=True):
    """Three bots that beat each other in a circle, as in rock, paper, scissors."""

    bots: tuple[int, int, int]
    margins: tuple[float, float, float]


def margins_of(halves: NDArray[np.int64], matches: NDArray[np.int64]) -> Margins:
    """Return each bot's mean margin against each opponent, from 1 (always ahead) to -1.

    For each pair, `halves` counts half points (2 for a win, 1 for a tie), and `matches` the matches.
    Two ties are added to each pair. Example: Bot 0 won 6 matches and lost 2, so its margin is (6 - 2) / (8 + 2).

    >>> margins_of(np.array([[0, 12], [4, 0]]), np.array([[0, 8], [8, 0]])).tolist()
    [[0.0, 0.4], [-0.4, 0.0]]
    """
    # The added ties (`PRIOR_MEETINGS`) make the margins of bots that met rarely less extreme.
    return (halves - matches) / (matches + PRIOR_MEETINGS)


def deviation_ratings(margins: Margins, most: int | None = None) -> list[float | None]:
    """Return each bot's deviation rating: its mean margin against the mix of bots that is hardest to beat.

    The best bots have the rating 0, the others a negative one. With `most`, bots are rated from the best down until
    this many have a rating; the others get None. In the example, three bots beat each other in a circle, and all of
    them beat the last bot.

    >>> rock_paper_scissors = np.array([[0, -1, 1, 1], [1, 0, -1, 1], [-1, 1, 0, 1], [-1, -1, -1, 0.0]])
    >>> [round(score, 6) + 0.0 for score in deviation_ratings(rock_paper_scissors)]
    [0.0, 0.0, 0.0, -1.0]
    """
    # Each rating can take a linear program, hence `most`.
    count = len(margins)
    scores = np.full(count, np.nan)
    while np.isfinite(scores).sum() < min(most or count, count):
        free = np.isnan(scores)
        limit, prices, reached = _solve_limit(margins, np.where(free, 0.0, scores), free)
        # a free bot whose dual price is positive scores exactly the limit against every such mix; at least one exists
        bounding = free & (prices > MIN_DUAL_PRICE)
        scores[bounding if bounding.any() else free & (reached > reached[free].max() - SCORE_TOLERANCES[-1])] = limit
    return [None if np.isnan(score) else min(0.0, float(score)) for score in scores]


def _solve_limit(
    margins: Margins, scores: NDArray[np.float64], free: NDArray[np.bool_]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Find the mix of bots against which the best score of the bots in `free` is as low as possible.

    Return this best score, the dual prices of the linear program, and the scores of all bots against the mix.
    """
    # The other bots already have a rating, in `scores`: an upper limit on their score against the mix.
    count, refusal = len(margins), ""
    for slack in SCORE_TOLERANCES:
        solved = linprog(
            np.append(np.zeros(count), 1.0),
            A_ub=np.column_stack([margins, -free.astype(float)]),
            b_ub=np.where(free, 0.0, scores + slack),
            A_eq=np.append(np.ones(count), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0, None)] * count + [(None, None)],
            method="highs",
            options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
        )
        if solved.x is not None:
            return float(solved.x[-1]), -solved.ineqlin.marginals, margins @ solved.x[:-1]
        refusal = solved.message
    raise ArithmeticError(f"no mix of {count} bots was found: {refusal}")


def find_cycles(margins: Margins, matches: NDArray[np.int64], most: int = 5) -> list[IntransitiveBotCycle]:
    """Return up to `most` cycles of three bots that beat each other, the clearest first."""
    # A cycle is clear if even its smallest margin is large. Each margin must pass a one-sided exact binomial test,
    # which is strict because all cycles are tested: of equal bots, at most `MAX_ERROR_PROBABILITY` cycles are expected
    # to pass.
    wins = np.floor((margins * (matches + PRIOR_MEETINGS) + matches) / 2 + ROUNDING)
    beats = np.asarray(binom.sf(wins - 1, matches, 0.5)) <= _max_error_of_margin(len(margins))
    cycles = list[IntransitiveBotCycle]()
    later = np.arange(len(margins))
    for one in range(len(margins)):
        winners, losers = (np.flatnonzero(edge & (later > one)) for edge in (beats[:, one], beats[one]))
        pairs = np.argwhere(beats[np.ix_(losers, winners)])
        closed = [_cycle(margins, one, int(losers[lost]), int(winners[won])) for lost, won in pairs]
        cycles = sorted([*cycles, *closed], key=lambda cycle: (-min(cycle.margins), cycle.bots))[:most]
    return cycles


def _max_error_of_margin(bots: int) -> float:
    """Return the significance level for the test of one margin, so that all tests together keep the total level."""
    # It falls with the number of bots, because the number of possible cycles rises. A false cycle needs
    # three independent errors. Each three bots can form two cycles. Among all of these, at most `MAX_ERROR_PROBABILITY`
    # false cycles are expected.
    possible_cycles = max(1, bots * (bots - 1) * (bots - 2) // 3)
    return float(min(MAX_ERROR_PROBABILITY, (MAX_ERROR_PROBABILITY / possible_cycles) ** (1 / 3)))


def _cycle(margins: Margins, *bots: int) -> IntransitiveBotCycle:
    one, other, third = bots
    edges = ((one, other), (other, third), (third, one))
    return IntransitiveBotCycle((one, other, third), tuple(float(margins[edge]) for edge in edges))  # type: ignore[arg-type]  # three edges
