"""Random matches of every game at every table size."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from hypothesis import settings

from ftk_core.facts import Action, Fact
from ftk_core.game import Game
from ftk_core.games import list_games
from ftk_core.random_streams import MatchRandomness, RandomBitStream, seed_of
from tests.support.laws.by_game import options_for

MATCHES = int(os.environ.get("FTK_LAWS_MATCHES", "0")) or settings().max_examples // 25
"""Number of random matches of each game and table size; `make laws` and FTK_LAWS_MATCHES raise it."""
MANY = 10
"""Number of matches from which on they are not cached."""
REACHES = (3, 1000, 2, 4)
"""Numbers of items at the top of a menu among which a random player chooses.

Players who choose among all items would bid too much, and the matches would seldom test payments.
"""
GAMES_AND_SIZES = [(name, seats) for name, row in list_games().items() for seats in row.seats]


class RecordingChance(MatchRandomness):
    """Chance that records the labels of its draws."""

    __slots__ = ("labels",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.labels: list[tuple[Any, ...]] = []

    def at(self, purpose: str, *numbers: int | str) -> RandomBitStream:
        """Record the label and return its draw."""
        self.labels.append((purpose, *numbers))
        return super().at(purpose, *numbers)


@dataclass
class Moment:
    """A point of a match at which a choice is due."""

    state: Any
    seat: int
    menu: tuple[Action, ...]


@dataclass
class RandomMatch:
    """A complete random match."""

    game: Game[Any, Any, Any, Any]
    seats: int
    states: list[Any] = field(default_factory=list)
    """The state before the deal, and after every fact."""
    facts: list[Fact] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    labels: list[tuple[Any, ...]] = field(default_factory=list)


def play_random_match(name: str, seats: int, number: int, silent: bool = False) -> RandomMatch:
    """Play a match, at random or always with the first item of the menu."""
    game = list_games()[name]
    chance = RecordingChance(seed_of("law", name, seats, number))
    draw = MatchRandomness(seed_of("law choices", name, seats, number)).at("choices")
    told = RandomMatch(game, seats, labels=chance.labels)
    state = game.setup(seats, options_for(name, seats, number))
    told.states.append(state)

    def happen(facts: tuple[Fact, ...]) -> None:
        for fact in facts:
            told.facts.append(fact)
            told.states.append(game.apply(told.states[-1], fact))

    happen(game.deal(state, chance))
    while due := game.turn(told.states[-1]):
        menus = [(seat, game.legal(told.states[-1], seat)) for seat in due]
        for seat, menu in menus:
            told.moments.append(Moment(told.states[-1], seat, menu))
            reach = 1 if silent else REACHES[(number + seat * (number % 3)) % len(REACHES)]
            action = menu[draw.below(min(len(menu), reach))]
            happen(game.decide(told.states[-1], seat, action, chance))
    return told


@cache
def _kept(name: str, seats: int) -> tuple[RandomMatch, ...]:
    return tuple(play_random_match(name, seats, number) for number in range(MATCHES))


def play_random_matches(name: str, seats: int) -> Iterable[RandomMatch]:
    """Return `MATCHES` random matches of a game at a table size; below `MANY` matches they are cached."""
    return (
        _kept(name, seats) if MATCHES < MANY else (play_random_match(name, seats, number) for number in range(MATCHES))
    )
