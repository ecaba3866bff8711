"""What the choices of stronger and weaker bots of the house cost at the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

import msgspec

from ftk_core.estimate import Policy
from ftk_core.games import game
from ftk_core.kit.in_process import BotInProcess
from ftk_core.kit.policies import BotPolicy
from ftk_core.moves import Move, moves_of
from ftk_core.rng import Chance, seed_of
from ftk_core.weighing import weighed
from tests.support.reviews import LADDERS, log_by, policy_for


def costs_of(
    name: str, seats: int, matches: range, each: int, playouts: int, policy: Policy | None = None
) -> Iterator[tuple[float, ...]]:
    """Yield for one choice after the other what that of each bot of the ladder would have cost there, strongest first.

    They sit at a table by turns; of each match so many choices are weighed at most, evenly over its length.
    """
    bots = LADDERS[name]
    minds = [BotPolicy(game(name), bot, seats) for bot in bots]
    for number in matches:
        players = [BotInProcess(name, bots[(seat + number) % len(bots)]) for seat in range(seats)]
        asked = [move for move in moves_of(log_by(name, players, number)).moves if move.entry is not None]
        for move in asked[number % max(1, len(asked) // each) :: max(1, len(asked) // each)]:
            chosen = [_choice(name, mind, move, number) for mind in minds]
            costs = {
                item: weighed(
                    game(name),
                    msgspec.structs.replace(move, chosen=item),
                    policy or policy_for(name),
                    ("costs", number),
                    playouts,
                ).cost
                for item in dict.fromkeys(chosen)
            }
            yield tuple(float(Fraction(costs[item])) for item in chosen)


def _choice(name: str, mind: BotPolicy, move: Move, number: int) -> int:
    draw = Chance(seed_of("mind", mind.name, number, move.frame)).at("policy")
    return mind.start(game(name), move.seats, draw)(move.before, move.seat, move.menu)


def interval(costs: Sequence[float], sure: float = 1.96) -> tuple[float, float]:
    """Return the interval of the mean, 95% unless it is to be so many standard errors wide to each side."""
    half = sure * stdev(costs) / sqrt(len(costs))
    return fmean(costs) - half, fmean(costs) + half
