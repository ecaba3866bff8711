"""Reproducible digits: ratings rounded from the exact optimum, identical on every machine.

A fit has a bound on its distance from the optimum. If the bound leaves the rounding of a value open, the gradient is
computed in decimal arithmetic and the fit improved with it until nothing is open. Each iteration proves about ten more
digits. (Iterative refinement; N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 12.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext

import numpy as np
import scipy

from ftk_core.league.court.beliefs import Prior
from ftk_core.league.court.fitting import MEAN, Court, fit
from ftk_core.league.court.likelihood import Choices, Floats, Portion
from ftk_core.league.court.newton import curve
from ftk_core.league.court.played import Played

PLACES = 60
"""Number of digits in decimal arithmetic."""
MOST = 6
"""Maximum number of improvements. A value that is still open then lies on the rounding edge as far as anyone can
tell."""
POINT = Context(prec=PLACES).divide(Decimal(400), Context(prec=PLACES).ln(Decimal(10)))
HUNDREDTH = Decimal("0.01")

Seated = tuple[Sequence[int], Sequence[int]]
"""Match: the entrant in each seat, by number, and the place of each."""


def rate_league(entrants: Sequence[int], results: Sequence[Seated], prior: Prior | None = None) -> dict[int, int]:
    """Compute court ratings from the matches of one league, by entrant, in hundredths of a point.

    The digits do not depend on the order of the results or on the machine.
    """
    numbers = {entrant: number for number, entrant in enumerate(sorted(entrants))}
    played = []
    for size in sorted({len(places) for _, places in results}):
        some = [result for result in results if len(result[1]) == size]
        seated = np.array([[numbers[entrant] for entrant in seating] for seating, _ in some], dtype=np.int64)
        played.append(Played(seated, np.array([places for _, places in some], dtype=np.int64)))
    court = fit(played, np.full(len(numbers), -1), prior)
    return dict(zip(numbers, hundredths(court), strict=True))


def hundredths(court: Court, bound: float | None = None) -> list[int]:
    """Return all versions' ratings in hundredths of a point; raise ArithmeticError if a digit cannot be decided.

    `bound` is the maximum distance of each rating from the optimum, in points; by default the bound proved by the fit.
    """
    with localcontext(Context(prec=PLACES, rounding=ROUND_HALF_EVEN)):
        x = [Decimal(value) for value in court.x.tolist()]
        left = Decimal(court.bound if bound is None else bound)
        for one, left in _bettered(court, x, left):  # noqa: B020 - the shrinking list of undecided ratings
            values = _points(one[: court.layout.versions])
            low, high = ([_rounded(value + side) for value in values] for side in (-2 * left, 2 * left))
            if low == high:
                return low
    raise ArithmeticError(f"digits of a rating stay open although {left} is proved")


def _bettered(court: Court, x: list[Decimal], off: Decimal) -> Iterator[tuple[list[Decimal], Decimal]]:
    """Yield improved parameters, each with the maximum error in points."""
    yield x, off
    size = len(x)
    curved = np.zeros((size, size))
    curve(court.layout.portions, court.believed.precision, court.x, court.layout.versions, curved)
    factor = scipy.linalg.cho_factor(curved, lower=True, overwrite_a=True)
    gradient = exact_slope(court, x)
    for _ in range(MOST):
        scale = max(map(abs, gradient)) or Decimal(1)  # avoids floats that underflow
        step: Floats = scipy.linalg.cho_solve(factor, np.array([float(value / scale) for value in gradient]))
        x = [value + scale * Decimal(change) for value, change in zip(x, step.tolist(), strict=True)]
        gradient = exact_slope(court, x)
        length = sum((value * value for value in gradient), Decimal(0)).sqrt()
        yield x, POINT * length / Decimal(court.believed.least)


def _points(x: Sequence[Decimal]) -> list[Decimal]:
    mean = sum(x, Decimal(0)) / len(x)
    return [MEAN + POINT * (value - mean) for value in x]


def _rounded(points: Decimal) -> int:
    return int((points / HUNDREDTH).to_integral_value())


def exact_slope(court: Court, x: Sequence[Decimal]) -> list[Decimal]:
    """Return the gradient of the log posterior in decimal arithmetic: the counterpart of `slope`."""
    entries = court.believed.precision.tocoo()
    gradient = [Decimal(0)] * len(x)
    for row, column, value in zip(entries.row.tolist(), entries.col.tolist(), entries.data.tolist(), strict=True):
        gradient[row] -= Decimal(value) * x[column]
    for portion in court.layout.portions:
        for part in portion.choices:
            rows = range(portion.terms[0].shape[1])[part.rows] if isinstance(part.rows, slice) else part.rows.tolist()
            groups = _members(part)
            for row in rows:
                _add_choice(part, groups, _keys(portion, part.at, row), x, gradient)
    return gradient


def _members(part: Choices) -> list[tuple[tuple[int, ...], int]]:
    """Return the alternative groups: the members of each, and the parameter of its size."""
    whole = [tuple(np.flatnonzero(group).tolist()) for group in part.groups]
    return list(zip(whole, part.ties.tolist(), strict=True))


def _keys(portion: Portion, at: int, row: int) -> list[list[int]]:
    """Return, for each remaining bot of a match, the parameters that add up to its strength."""
    return [[int(term[bot, row]) for term in portion.terms] for bot in range(at, len(portion.terms[0]))]


def _add_choice(
    part: Choices,
    groups: Sequence[tuple[tuple[int, ...], int]],
    keys: Sequence[Sequence[int]],
    x: Sequence[Decimal],
    gradient: list[Decimal],
) -> None:
    """Add one choice of one match to the gradient."""
    strengths = [sum((x[key] for key in own), Decimal(0)) for own in keys]
    weights = [
        (sum((strengths[bot] for bot in group), Decimal(0)) / len(group) + (x[tie] if tie >= 0 else 0)).exp()
        for group, tie in groups
    ]
    whole = sum(weights, Decimal(0))
    for number, ((group, tie), weight) in enumerate(zip(groups, weights, strict=True)):
        more = (number == part.taken) - weight / whole
        for bot in group:
            for key in keys[bot]:
                gradient[key] += more / len(group)
        if tie >= 0:
            gradient[tie] += more
