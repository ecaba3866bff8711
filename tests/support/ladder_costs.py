"""Values that reviews give to the choices of stronger and weaker built-in bots at the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

from ftk_core.kit.match_series.in_process_bots import InProcessBot
from tests.support.reviews import LADDERS, log_by, review_of


def given_by_choices(name: str, seats: int, matches: range, playouts: int) -> Iterator[tuple[float, ...]]:
    """Yield for each match the value of each bot's own choices as a share of opponents, strongest bot first.

    The bots rotate over the seats. The value of a choice is the seat's expected share after it minus the share before,
    so it is negative for a mistake. The sum over a match is in the column `choices` of the review's ledger.
    """
    bots = LADDERS[name]
    for number in matches:
        order = [bots[(seat + number) % len(bots)] for seat in range(seats)]
        found = review_of(log_by(name, [InProcessBot(name, bot) for bot in order], number), playouts, options=False)
        own = [float(Fraction(account.choices[seat])) for seat, account in enumerate(found.ledger)]
        yield tuple(fmean(gave for gave, at in zip(own, order, strict=True) if at == bot) for bot in bots)


def interval(costs: Sequence[float]) -> tuple[float, float]:
    """Return the 95% confidence interval of the mean."""
    half = 1.96 * stdev(costs) / sqrt(len(costs))
    return fmean(costs) - half, fmean(costs) + half
