"""Elo for tables of any size, in integers: a match is every pair of its seats, each worth K / (n - 1).

Ratings are thousandths of a point, and every pair moves as much to one as it takes from the other,
so that the sum is conserved exactly. (A. Elo, The Rating of Chessplayers, 1978; the pairwise
extension divides K by the number of opponents.)
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import cache

START = 1_500_000
"""A newcomer's rating, in thousandths."""
K = 32_000
"""The most one match can move a rating, in thousandths."""
SCALE = 400
"""How many points ahead one must be to be expected to win ten to one."""
CAP = 800
"""A lead of more points than this counts as this."""
MILLION = 1_000_000

_context = Context(prec=30, rounding=ROUND_HALF_EVEN)


@cache
def expected(lead: int) -> int:
    """Return the expected score of the side that is `lead` whole points ahead, in millionths.

    Decimal arithmetic, so that it is the same on every machine; ``expected(d) + expected(-d)`` is one million.
    """
    if lead < 0:
        return MILLION - expected(-lead)
    exponent = _context.divide(Decimal(-min(lead, CAP)), Decimal(SCALE))
    odds = _context.power(Decimal(10), exponent)
    return int(_context.divide(Decimal(MILLION), 1 + odds).to_integral_value(context=_context))


def deltas(ratings: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Return by seat what a match adds to each rating, all from the ratings before it; the sum is 0."""
    count = len(ratings)
    change = [0] * count
    for one in range(count):
        for other in range(one + 1, count):
            lead = round((ratings[one] - ratings[other]) / 1000)
            mine, theirs = places[one], places[other]
            score = MILLION if mine < theirs else MILLION // 2 if mine == theirs else 0
            moved = _divided(K * (score - expected(lead)), MILLION * (count - 1))
            change[one] += moved
            change[other] -= moved
    return tuple(change)


def _divided(value: int, by: int) -> int:
    """Return the quotient rounded to the nearest integer, halves away from zero: symmetric in sign."""
    sign = -1 if value < 0 else 1
    return sign * ((2 * abs(value) + by) // (2 * by))
