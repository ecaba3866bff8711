"""Rounding of bots' ratings, such that every machine publishes the same digits.

Method: iterative refinement (N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 12).
"""
# If a rating could be rounded to two values within the proved error, the fit is made more exact with a gradient in
# decimal arithmetic. Each iteration proves about ten more digits.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext

import numpy as np
import scipy

from ftk_core.league.court_rating.likelihood import Floats, MatchArrayBatch, PlackettLuceChoiceSet
from ftk_core.league.court_rating.match_arrays import MatchArrays
from ftk_core.league.court_rating.newton_method import write_curvature
from ftk_core.league.court_rating.rating_fit import MEAN, BotRatingFit, fit_ratings
from ftk_core.league.court_rating.rating_priors import PriorSigmas

DECIMAL_DIGITS = 60
"""Number of digits in decimal arithmetic."""
MAX_REFINEMENTS = 6
"""Maximum number of refinements of a fit. If a rounding is still undecided then, ArithmeticError is raised."""
POINTS_PER_STRENGTH = Context(prec=DECIMAL_DIGITS).divide(Decimal(400), Context(prec=DECIMAL_DIGITS).ln(Decimal(10)))
"""Points per unit of strength, 400 / ln(10), in decimal arithmetic."""
HUNDREDTH = Decimal("0.01")

SeatedMatch = tuple[Sequence[int], Sequence[int]]
"""Pair for one match: the entrants by seat, and their places by seat, from 1."""


def rate_league(
    entrants: Sequence[int], results: Sequence[SeatedMatch], prior: PriorSigmas | None = None
) -> dict[int, int]:
    """Compute the ratings of a league's bots from its matches, in hundredths of a point.

    The keys of the result are the entry numbers of the bots in the league.
    """
    # The digits do not depend on the order of the results or on the machine.
    numbers = {entrant: number for number, entrant in enumerate(sorted(entrants))}
    played = []
    for size in sorted({len(places) for _, places in results}):
        some = [result for result in results if len(result[1]) == size]
        seated = np.array([[numbers[entrant] for entrant in seating] for seating, _ in some], dtype=np.int64)
        played.append(MatchArrays(seated, np.array([places for _, places in some], dtype=np.int64)))
    court = fit_ratings(played, np.full(len(numbers), -1), prior)
    return dict(zip(numbers, ratings_in_hundredths(court), strict=True))


def ratings_in_hundredths(court: BotRatingFit, bound: float | None = None) -> list[int]:
    """Return each bot version's rating in hundredths of a point, the same on every machine.

    `bound` is the largest error of a rating, in points. Raises ArithmeticError if the ratings are too inexact to
    round.
    """
    with localcontext(Context(prec=DECIMAL_DIGITS, rounding=ROUND_HALF_EVEN)):
        x = [Decimal(value) for value in court.x.tolist()]
        left = Decimal(court.bound if bound is None else bound)
        for one, left in _refine(court, x, left):  # noqa: B020 - the shrinking list of undecided ratings
            values = _points_of(one[: court.layout.versions])
            low, high = ([_round_points(value + side) for value in values] for side in (-2 * left, 2 * left))
            if low == high:
                return low
    raise ArithmeticError(f"digits of a rating stay open although {left} is proved")


def _refine(court: BotRatingFit, x: list[Decimal], off: Decimal) -> Iterator[tuple[list[Decimal], Decimal]]:
    """Yield better and better approximations to the parameters, each with its maximum error in points."""
    yield x, off
    size = len(x)
    curved = np.zeros((size, size))
    write_curvature(court.layout.portions, court.believed.precision, court.x, court.layout.versions, curved)
    factor = scipy.linalg.cho_factor(curved, lower=True, overwrite_a=True)
    gradient = exact_gradient(court, x)
    for _ in range(MAX_REFINEMENTS):
        scale = max(map(abs, gradient)) or Decimal(1)  # keeps the floats from underflowing
        step: Floats = scipy.linalg.cho_solve(factor, np.array([float(value / scale) for value in gradient]))
        x = [value + scale * Decimal(change) for value, change in zip(x, step.tolist(), strict=True)]
        gradient = exact_gradient(court, x)
        length = sum((value * value for value in gradient), Decimal(0)).sqrt()
        yield x, POINTS_PER_STRENGTH * length / Decimal(court.believed.least)


def _points_of(x: Sequence[Decimal]) -> list[Decimal]:
    mean = sum(x, Decimal(0)) / len(x)
    return [MEAN + POINTS_PER_STRENGTH * (value - mean) for value in x]


def _round_points(points: Decimal) -> int:
    return int((points / HUNDREDTH).to_integral_value())


def exact_gradient(court: BotRatingFit, x: Sequence[Decimal]) -> list[Decimal]:
    """Return the gradient of the log posterior, computed in decimal arithmetic."""
    entries = court.believed.precision.tocoo()
    gradient = [Decimal(0)] * len(x)
    for row, column, value in zip(entries.row.tolist(), entries.col.tolist(), entries.data.tolist(), strict=True):
        gradient[row] -= Decimal(value) * x[column]
    for portion in court.layout.portions:
        for part in portion.choices:
            rows = range(portion.terms[0].shape[1])[part.rows] if isinstance(part.rows, slice) else part.rows.tolist()
            groups = _group_members(part)
            for row in rows:
                _add_choice(part, groups, _strength_parameters(portion, part.at, row), x, gradient)
    return gradient


def _group_members(part: PlackettLuceChoiceSet) -> list[tuple[tuple[int, ...], int]]:
    """Return all groups of bots that could take the next place, as pairs (members, index of the tie parameter).

    A group of several bots shares the place. A group can be a single bot: then the index is -1. The bots that have no
    place yet are numbered from 0.
    """
    groups = [tuple(np.flatnonzero(group).tolist()) for group in part.groups]
    return list(zip(groups, part.ties.tolist(), strict=True))


def _strength_parameters(portion: MatchArrayBatch, at: int, row: int) -> list[list[int]]:
    """Return, for each bot not yet placed, the indices of the parameters whose sum is its strength."""
    return [[int(term[bot, row]) for term in portion.terms] for bot in range(at, len(portion.terms[0]))]


def _add_choice(
    part: PlackettLuceChoiceSet,
    groups: Sequence[tuple[tuple[int, ...], int]],
    keys: Sequence[Sequence[int]],
    x: Sequence[Decimal],
    gradient: list[Decimal],
) -> None:
    """Add one place of one match, such as the first, to the gradient of the log likelihood."""
    # `groups` could take this place, and one of them did. `keys` holds, for each bot that has no place yet, the indices
    # of the parameters that add up to its strength.
    strengths = [sum((x[key] for key in own), Decimal(0)) for own in keys]
    weights = [
        (sum((strengths[bot] for bot in group), Decimal(0)) / len(group) + (x[tie] if tie >= 0 else 0)).exp()
        for group, tie in groups
    ]
    total = sum(weights, Decimal(0))
    for number, ((group, tie), weight) in enumerate(zip(groups, weights, strict=True)):
        more = (number == part.taken) - weight / total
        for bot in group:
            for key in keys[bot]:
                gradient[key] += more / len(group)
        if tie >= 0:
            gradient[tie] += more
