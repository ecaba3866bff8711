"""The better a bot plays, the less its choices cost, by the reviews' own playouts, at the same tables.

The long forms, of every step of each ladder, are asked for by `make laws`.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import settings

from ftk_core.games import game
from ftk_core.kit.policies import BotPolicy
from tests.support.ladder_costs import costs_of, interval
from tests.support.reviews import LADDERS

LONG = settings().max_examples >= 1000
PLAYED = {"for_the_king": (3, 400, 40, 20), "kings_court": (6, 100, 20, 30), "to_court_the_king": (2, 200, 8, 16)}
"""By game: seats, matches, choices of each that are weighed, and playouts of an item; ten minutes at most."""
STRONG = {"to_court_the_king": "builder"}
"""Who plays the playouts of a game whose `quick` makes no use of what its better bots collect."""
STEPS = [(name, step, *pair) for name in PLAYED for step, pair in enumerate(pairwise(LADDERS[name]))]
PART = 1 if LONG else 5
"""One match in so many is played."""


@cache
def costs(name: str) -> list[tuple[float, ...]]:
    """Return by match how much more a choice of the next weaker bot costs, strongest first."""
    seats, matches, each, playouts = PLAYED[name]
    judge = BotPolicy(game(name), STRONG[name], seats) if name in STRONG else None
    return list(costs_of(name, seats, range(matches // PART), each, playouts, judge))


@pytest.mark.parametrize(("name", "step", "better", "weaker"), STEPS if LONG else STEPS[2:3])
def test_a_weaker_bots_choices_cost_more(name: str, step: int, better: str, weaker: str) -> None:
    low, high = interval([more[step] for more in costs(name)])
    assert low > 0, f"{name}: {weaker}'s choices cost {low:.4f} to {high:.4f} more than {better}'s"
