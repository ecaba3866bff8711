"""What the choices of stronger and weaker bots of the house cost at the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

from msgspec.structs import replace

from ftk_core.estimate import Policy
from ftk_core.games import game
from ftk_core.kit.in_process import BotInProcess
from ftk_core.kit.policies import BotPolicy
from ftk_core.moves import Move, moves_of
from ftk_core.rng import Chance, seed_of
from ftk_core.weighing import Weighing, weighed
from tests.support.reviews import LADDERS, log_by, policy_for


def costs_of(
    name: str, seats: int, matches: range, each: int, playouts: int, policy: Policy | None = None
) -> Iterator[tuple[float, ...]]:
    """Yield for one match after the other what a choice of each bot of the ladder would have cost, strongest first.

    They sit at a table by turns; of each match so many choices are weighed at most, evenly over its length, and every
    bot says what it would choose there: they are compared at the same tables, by the same playouts.
    """
    bots, judge = LADDERS[name], policy or policy_for(name)
    minds = [BotPolicy(game(name), bot, seats) for bot in bots]
    for number in matches:
        players = [BotInProcess(name, bots[(seat + number) % len(bots)]) for seat in range(seats)]
        asked = [move for move in moves_of(log_by(name, players, number)).moves if move.entry is not None]
        step = max(1, len(asked) // each)
        rows = [
            _costs(name, move, [_choice(name, mind, move, number) for mind in minds], judge, number, playouts)
            for move in asked[number % step :: step][:each]
        ]
        yield tuple(map(fmean, zip(*rows, strict=True)))


def _costs(name: str, move: Move, chosen: Sequence[int], judge: Policy, number: int, playouts: int) -> list[float]:
    """Return what each of these items costs; one that was tried beside the first costs what it is worth less more."""

    def weigh(item: int) -> Weighing:
        return weighed(game(name), replace(move, chosen=item), judge, ("costs", number), playouts)

    first = weigh(chosen[0])
    worth = {option.item: Fraction(option.share) for option in first.options}
    more = [worth[first.chosen] - worth[item] if item in worth else None for item in chosen]
    return [
        float(Fraction(first.cost) + extra if extra is not None else Fraction(weigh(item).cost))
        for item, extra in zip(chosen, more, strict=True)
    ]


def _choice(name: str, mind: BotPolicy, move: Move, number: int) -> int:
    draw = Chance(seed_of("mind", mind.name, number, move.frame)).at("policy")
    return mind.start(game(name), move.seats, draw)(move.before, move.seat, move.menu)


def interval(costs: Sequence[float], sure: float = 1.96) -> tuple[float, float]:
    """Return the interval of the mean, 95% unless it is to be so many standard errors wide to each side."""
    half = sure * stdev(costs) / sqrt(len(costs))
    return fmean(costs) - half, fmean(costs) + half
