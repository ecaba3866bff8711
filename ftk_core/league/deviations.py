"""Deviation ratings: a ranking that copies of a bot cannot change; and cycles among the bots.

A rating such as Elo or the court rating describes each bot by one number. If bots beat each other in a circle, its
order depends on how often each plays, so that ten copies of one bot move all others. Deviation ratings (Marris and
others, Deviation Ratings: A General, Clone-Invariant Rating Method, 2025, arXiv 2502.11645) compute instead the score
of a bot against the mix of bots that is hardest to beat. This mix minimises the best score, then the second best, and
so on. A copy adds a row equal to another row, and a column that offers nothing new, so that the scores of all others
are unchanged.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Margins = NDArray[np.float64]
"""[bot, opponent]: share of matches in which the bot is ahead, minus the share in which it is behind."""
PRIOR = 2.0
"""Prior: number of earlier meetings, with equal results, assumed for each pair."""
TOLERANCE = 1e-10
"""Tolerance of the linear programs, the smallest that the solver accepts."""
SLACKS = (1e-9, 1e-8, 1e-7, 1e-6)
"""Tolerances of fixed scores, tried in turn: rounding can make the next program infeasible."""
PRICE = 1e-6
"""Smaller dual prices are rounding errors: prices add up to 1, so the largest is never that small."""
SURE = 1.645
"""Number of standard errors above 0 that an edge of a cycle needs: one-sided, 95% confidence."""


class Cycle(msgspec.Struct, frozen=True):
    """Three bots that beat each other in a circle: first beats second, second beats third, third beats first."""

    bots: tuple[int, int, int]
    margins: tuple[float, float, float]


def margins_of(halves: NDArray[np.int64], matches: NDArray[np.int64]) -> Margins:
    """Return the margins of pairs, shrunk towards 0 if they rarely met; pairs that never met count as equal.

    `halves` are the half points of each bot against each opponent (two for finishing ahead, one for a shared place),
    `matches` how often they met.

    >>> margins_of(np.array([[0, 12], [4, 0]]), np.array([[0, 8], [8, 0]])).tolist()
    [[0.0, 0.4], [-0.4, 0.0]]
    """
    return (halves - matches) / (matches + PRIOR)


def deviation_ratings(margins: Margins, most: int | None = None) -> list[float | None]:
    """Return each bot's score against the mix that is hardest to beat, at most 0; the best bots have 0.

    Only the `most` best are rated, or all; others are None. Each step is one linear program over all bots.

    >>> rock_paper_scissors = np.array([[0, -1, 1, 1], [1, 0, -1, 1], [-1, 1, 0, 1], [-1, -1, -1, 0.0]])
    >>> [round(score, 6) + 0.0 for score in deviation_ratings(rock_paper_scissors)]
    [0.0, 0.0, 0.0, -1.0]
    """
    count = len(margins)
    scores = np.full(count, np.nan)
    while np.isfinite(scores).sum() < min(most or count, count):
        free = np.isnan(scores)
        limit, prices, reached = _hold_down(margins, np.where(free, 0.0, scores), free)
        # a free bot whose limit has a price scores exactly that much in every such mix; at least one exists
        found = free & (prices > PRICE)
        scores[found if found.any() else free & (reached > reached[free].max() - SLACKS[-1])] = limit
    return [None if np.isnan(score) else min(0.0, float(score)) for score in scores]


def _hold_down(
    margins: Margins, scores: NDArray[np.float64], free: NDArray[np.bool_]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Return the lowest limit to which a mix can hold all free bots while the others do not exceed their scores.

    Also return, by bot, the price of its limit and its score against the mix.
    """
    count, refusal = len(margins), ""
    for slack in SLACKS:
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


def find_cycles(margins: Margins, matches: NDArray[np.int64], most: int = 5) -> list[Cycle]:
    """Return the clearest cycles of three bots, sorted by their smallest margin, largest first.

    Only margins that are above 0 with 95% confidence count.
    """
    errors = 1 / np.sqrt(np.maximum(matches, 1))
    beats = margins * (matches + PRIOR) / np.maximum(matches, 1) > SURE * errors
    found = list[Cycle]()
    later = np.arange(len(margins))
    for one in range(len(margins)):
        winners, losers = (np.flatnonzero(edge & (later > one)) for edge in (beats[:, one], beats[one]))
        pairs = np.argwhere(beats[np.ix_(losers, winners)])
        closed = [_cycle(margins, one, int(losers[lost]), int(winners[won])) for lost, won in pairs]
        found = sorted([*found, *closed], key=lambda cycle: (-min(cycle.margins), cycle.bots))[:most]
    return found


def _cycle(margins: Margins, *bots: int) -> Cycle:
    one, other, third = bots
    edges = ((one, other), (other, third), (third, one))
    return Cycle((one, other, third), tuple(float(margins[edge]) for edge in edges))  # type: ignore[arg-type]  # three edges
