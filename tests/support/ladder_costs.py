"""What the choices of stronger and weaker bots of the house cost at the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

from ftk_core.bare import follow_of, play_on
from ftk_core.estimate import Policy, left_behind, playouts_of
from ftk_core.games import game
from ftk_core.kit.in_process import BotInProcess
from ftk_core.kit.policies import BotPolicy
from ftk_core.moves import Move, moves_of
from ftk_core.rng import Chance, seed_of
from tests.support.reviews import LADDERS, log_by, policy_for


def costs_of(
    name: str, seats: int, matches: range, each: int, playouts: int, policy: Policy | None = None
) -> Iterator[tuple[float, ...]]:
    """Yield by match how much more a choice of the next weaker bot of the ladder would have cost, strongest first.

    They sit at a table by turns; of each match so many choices are taken at most, evenly over its length, and every
    bot says what it would choose there. What a choice costs is what lies between it and the best one: so two choices at
    the same table cost as much more as what they are worth differs, and two that are the same differ by nothing.
    """
    bots, judge = LADDERS[name], policy or policy_for(name)
    minds = [BotPolicy(game(name), bot, seats) for bot in bots]
    for number in matches:
        players = [BotInProcess(name, bots[(seat + number) % len(bots)]) for seat in range(seats)]
        asked = [move for move in moves_of(log_by(name, players, number)).moves if move.entry is not None]
        step = max(1, len(asked) // each)
        rows = []
        for move in asked[number % step :: step][:each]:
            chosen = [_choice(name, mind, move, number) for mind in minds]
            worth = dict.fromkeys(chosen, 0.0)
            if len(worth) > 1:
                worth = {item: _worth(name, move, item, judge, number, playouts) for item in worth}
            rows.append([worth[better] - worth[weaker] for better, weaker in pairwise(chosen)])
        yield tuple(map(fmean, zip(*rows, strict=True)))


def _worth(name: str, move: Move, item: int, judge: Policy, number: int, playouts: int) -> float:
    """Return the share of opponents that the seat leaves behind with an item; the luck is the same for every item."""
    rules, left = game(name), 0
    for chance, draw in playouts_of(("costs", number, move.frame), playouts):
        state = follow_of(rules)(move.before, move.seat, move.menu[item], chance)[1]
        last, _ = play_on(rules, state, chance, judge.start(rules, move.seats, draw))
        left += left_behind(rules.result(last).places)[move.seat]
    return left / (2 * (move.seats - 1) * playouts)


def _choice(name: str, mind: BotPolicy, move: Move, number: int) -> int:
    draw = Chance(seed_of("mind", mind.name, number, move.frame)).at("policy")
    return mind.start(game(name), move.seats, draw)(move.before, move.seat, move.menu)


def interval(costs: Sequence[float], sure: float = 1.96) -> tuple[float, float]:
    """Return the interval of the mean, 95% unless it is to be so many standard errors wide to each side."""
    half = sure * stdev(costs) / sqrt(len(costs))
    return fmean(costs) - half, fmean(costs) + half
