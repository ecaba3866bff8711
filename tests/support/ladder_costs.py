"""What the choices of stronger and weaker bots of the house gave them at the same tables, by reviews."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

from ftk_core.kit.in_process import BotInProcess
from tests.support.reviews import LADDERS, log_by, review_of


def given_by_choices(name: str, seats: int, matches: range, playouts: int) -> Iterator[tuple[float, ...]]:
    """Yield by match what each bot's own choices gave it of the share of opponents, strongest first.

    They sit at a table by turns. A choice gives what the table is worth behind it less what it was worth before, so
    below 0 it is what the choice cost; over a match that is the column of the ledger.
    """
    bots = LADDERS[name]
    for number in matches:
        order = [bots[(seat + number) % len(bots)] for seat in range(seats)]
        found = review_of(log_by(name, [BotInProcess(name, bot) for bot in order], number), playouts, options=False)
        own = [float(Fraction(account.choices[seat])) for seat, account in enumerate(found.ledger)]
        yield tuple(fmean(gave for gave, at in zip(own, order, strict=True) if at == bot) for bot in bots)


def interval(costs: Sequence[float]) -> tuple[float, float]:
    """Return the 95% interval of the mean."""
    half = 1.96 * stdev(costs) / sqrt(len(costs))
    return fmean(costs) - half, fmean(costs) + half
