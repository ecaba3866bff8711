"""Elo ratings for matches with any number of seats, in thousandths of a point.

A match counts as one game between each pair of its n seats, with weight K / (n - 1).

Sources: A. Elo, The Rating of Chessplayers, 1978; FIDE Rating Regulations 8.3.3 for the values of K.
"""
# FIDE lowers K to 10 at a certain rating; here it falls with the number of matches. Each bot has its own K: with
# different K, the sum of all ratings can change.

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import cache

START_RATING = 1_500_000
"""Elo rating of a bot without a match, in thousandths of a point."""
K_BY_MATCHES = ((30, 40_000), (100, 20_000))
"""(limit of matches, K in thousandths): K of a bot that has played fewer matches than the limit."""
MIN_K = 10_000
"""K in thousandths of a point for bots that have reached all limits."""
TEN_TO_ONE_POINTS = 400
"""Rating difference in points at which the expected odds are ten to one."""
MAX_LEAD_POINTS = 800
"""Maximum rating difference in points; larger differences count as this one."""
MILLION = 1_000_000

_context = Context(prec=30, rounding=ROUND_HALF_EVEN)


def compute_k(matches: int) -> int:
    """Return the Elo factor K after this many matches, in thousandths of a point.

    >>> [compute_k(matches) for matches in (0, 29, 30, 99, 100)]
    [40000, 40000, 20000, 20000, 10000]
    """
    return next((k for fewer, k in K_BY_MATCHES if matches < fewer), MIN_K)


@cache
def compute_expected_score(lead: int) -> int:
    """Return the expected score, in millionths, of a player rated `lead` whole points above the opponent."""
    # Decimal arithmetic gives the same result on every machine. The scores for `lead` and `-lead` add up to one
    # million.
    if lead < 0:
        return MILLION - compute_expected_score(-lead)
    exponent = _context.divide(Decimal(-min(lead, MAX_LEAD_POINTS)), Decimal(TEN_TO_ONE_POINTS))
    odds = _context.power(Decimal(10), exponent)
    return int(_context.divide(Decimal(MILLION), 1 + odds).to_integral_value(context=_context))


def compute_deltas(ratings: Sequence[int], places: Sequence[int], ks: Sequence[int]) -> tuple[int, ...]:
    """Return how much one match changes the Elo rating of each bot, in seat order.

    The arguments are also in seat order: ratings before the match, places, and factors K. Ratings, factors and
    changes are in thousandths of a point.
    """
    count = len(ratings)
    changes = [0] * count
    for first in range(count):
        for second in range(first + 1, count):
            lead = round((ratings[first] - ratings[second]) / 1000)
            first_place, second_place = places[first], places[second]
            score = MILLION if first_place < second_place else MILLION // 2 if first_place == second_place else 0
            surprise = score - compute_expected_score(lead)
            changes[first] += _divide_rounded(ks[first] * surprise, MILLION * (count - 1))
            changes[second] -= _divide_rounded(ks[second] * surprise, MILLION * (count - 1))
    return tuple(changes)


def _divide_rounded(value: int, by: int) -> int:
    """Return `value` / `by`, rounded to the nearest integer; halves are rounded away from zero."""
    sign = -1 if value < 0 else 1
    return sign * ((2 * abs(value) + by) // (2 * by))
