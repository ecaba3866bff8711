"""Pairs of states that differ only in what one seat does not know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any, NamedTuple

from ftk_core.games import game, list_games
from ftk_core.match_fork import has_secrets
from ftk_core.match_state_from_log import AnyGame
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.worlds import compare_worlds, play_world

TWINS = 6
"""Number of changed matches that are tried for each match."""
SECRET_GAMES = [name for name, rules in list_games().items() if has_secrets(rules)]
"""Games in which a seat does not know everything."""


class Twins(NamedTuple):
    """Two states that look the same to a seat."""

    here: Any
    there: Any
    seat: int
    seats: int
    asked: bool
    """True if the seat chose in these states, and they are not states between the facts that follow from a choice."""


def twin_states(rules: AnyGame) -> Iterator[Twins]:
    """Yield pairs of states of a game with secrets, without end.

    The games are played by their own rules, whatever `rules` makes of their states.
    """
    name = rules.name
    for number in count():
        seats, draw = rules.seats[number % len(rules.seats)], Random(f"{name} {number}")
        seat = draw.randrange(seats)
        world, diary = play_world(game(name), seats, options_for(name, seats, number), number, seat)
        for _ in range(TWINS):
            try:
                twin, common = compare_worlds(world, diary, other_world(name)(world, seat, draw))
            except WorldImpossible:
                continue
            pairs = list(zip(twin.states, world.states, strict=False))[: common + 1]
            for facts, (here, there) in enumerate(pairs):
                if here != there:
                    yield Twins(here, there, seat, seats, (facts, seat) in world.chosen)


def twin_questions(rules: AnyGame) -> Iterator[Twins]:
    """Yield the pairs of states in which the seat must choose."""
    return (twins for twins in twin_states(rules) if twins.asked)
