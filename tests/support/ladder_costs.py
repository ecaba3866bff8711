"""What the choices of stronger and weaker bots of the house cost, at tables where they meet."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

from ftk_core.estimate import Policy
from ftk_core.games import game
from ftk_core.kit.in_process import BotInProcess
from ftk_core.moves import moves_of
from ftk_core.weighing import weighed
from tests.support.reviews import LADDERS, log_by, policy_for


def costs_of(
    name: str, seats: int, matches: range, playouts: int, every: int = 1, policy: Policy | None = None
) -> dict[str, list[float]]:
    """Return bot -> what each weighed choice cost; every so-many-th choice of a match is weighed.

    The bots of a game's ladder sit there by turns, moved on by one seat in each match.
    """
    bots, found = LADDERS[name], dict[str, list[float]]()
    for number in matches:
        names = [bots[(seat + number) % len(bots)] for seat in range(seats)]
        moves = moves_of(log_by(name, [BotInProcess(name, bot) for bot in names], number))
        for move in [move for move in moves.moves if move.entry is not None][number % every :: every]:
            weighing = weighed(game(name), move, policy or policy_for(name), ("costs", number), playouts)
            found.setdefault(names[move.seat], []).append(float(Fraction(weighing.cost)))
    return found


def interval(costs: Sequence[float], sure: float = 1.96) -> tuple[float, float]:
    """Return the interval of the mean, 95% unless it is to be so many standard errors wide to each side."""
    half = sure * stdev(costs) / sqrt(len(costs))
    return fmean(costs) - half, fmean(costs) + half
