"""Elo for tables of any size, in integers: a match is every pair of its seats, each worth K / (n - 1).

Ratings are thousandths of a point. K falls with the matches that a bot has behind it, so that a newcomer finds its
place and an old hand keeps it; each moves by its own K. Between bots of equal K every pair moves as much to one as it
takes from the other, to the thousandth; between others nothing is conserved, since a newcomer's surprise says much
about the newcomer and little about whom it met. (A. Elo, The Rating of Chessplayers, 1978; K of 40 for 30 games, then
20 and 10, is FIDE's, Rating Regulations 8.3.3, which falls to 10 by rating where ours does by games; the pairwise
extension divides by the number of opponents.)
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import cache

START = 1_500_000
"""Rating of a newcomer, in thousandths."""
FALLING = ((30, 40_000), (100, 20_000))
"""(matches, K in thousandths): K of a bot with fewer matches than this."""
LEAST = 10_000
"""K of all other bots."""
FIRST = 32_000
"""K of matches rated before K depended on the number of matches."""
SCALE = 400
"""Lead in points at which the expected odds are ten to one."""
CAP = 800
"""Maximum lead taken into account."""
MILLION = 1_000_000

_context = Context(prec=30, rounding=ROUND_HALF_EVEN)


def k_after(matches: int) -> int:
    """Return K, in thousandths, of a bot with this many matches.

    >>> [k_after(matches) for matches in (0, 29, 30, 99, 100)]
    [40000, 40000, 20000, 20000, 10000]
    """
    return next((k for fewer, k in FALLING if matches < fewer), LEAST)


@cache
def expected(lead: int) -> int:
    """Return the expected score, in millionths, of the side that is `lead` whole points ahead.

    Decimal arithmetic makes it the same on every machine; ``expected(d) + expected(-d)`` is one million.
    """
    if lead < 0:
        return MILLION - expected(-lead)
    exponent = _context.divide(Decimal(-min(lead, CAP)), Decimal(SCALE))
    odds = _context.power(Decimal(10), exponent)
    return int(_context.divide(Decimal(MILLION), 1 + odds).to_integral_value(context=_context))


def deltas(ratings: Sequence[int], places: Sequence[int], ks: Sequence[int]) -> tuple[int, ...]:
    """Return the rating change of each seat, all from the ratings before the match; `ks` has the K of each."""
    count = len(ratings)
    change = [0] * count
    for one in range(count):
        for other in range(one + 1, count):
            lead = round((ratings[one] - ratings[other]) / 1000)
            mine, theirs = places[one], places[other]
            score = MILLION if mine < theirs else MILLION // 2 if mine == theirs else 0
            surprise = score - expected(lead)
            change[one] += _divided(ks[one] * surprise, MILLION * (count - 1))
            change[other] -= _divided(ks[other] * surprise, MILLION * (count - 1))
    return tuple(change)


def _divided(value: int, by: int) -> int:
    """Return the quotient rounded to the nearest integer, halves away from zero: symmetric in sign."""
    sign = -1 if value < 0 else 1
    return sign * ((2 * abs(value) + by) // (2 * by))
