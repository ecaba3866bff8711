"""Random matches of a game, recorded for the tests that every game must pass (its laws)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ftk_core.facts import Action, Fact, secret_fields_of
from ftk_core.game import Game
from ftk_core.games import game
from ftk_core.random_streams import MatchRandomness, RandomBitStream, seed_of

MAX_CHOICES = 100_000
"""Number of choices after which a match counts as endless."""
REACHES = (3, 1000, 2, 4)
"""Each random player gets one of these numbers n, and always chooses among the first n items of its menu.

If all players chose among all items, they would bid too much, and the matches would seldom test payments.
"""


class EndlessMatchError(AssertionError):
    """Raised for a random match that does not end."""


class RandomStreamLabelRecorder(MatchRandomness):
    """Source of random numbers that records the label of each draw."""

    __slots__ = ("labels",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.labels: list[tuple[Any, ...]] = []

    def at(self, purpose: str, *numbers: int | str) -> RandomBitStream:
        """Record the label of a random draw, and return its stream of random bits."""
        self.labels.append((purpose, *numbers))
        return super().at(purpose, *numbers)


@dataclass
class SeatDecisionPoint:
    """A state of a match in which a seat must choose, and the seat's menu."""

    state: Any
    seat: int
    menu: tuple[Action, ...]


@dataclass(kw_only=True)
class RandomMatch:
    """Record of a match with random choices."""

    game: Game[Any, Any, Any, Any]
    seats: int
    states: list[Any] = field(default_factory=list)
    """The state at the start of the match, then the state after each fact."""
    facts: list[Fact] = field(default_factory=list)
    moments: list[SeatDecisionPoint] = field(default_factory=list)
    labels: list[tuple[Any, ...]] = field(default_factory=list)

    @property
    def some_states(self) -> list[Any]:
        """Sample of at most 79 states, evenly spread over the match."""
        # All states of a long match would take too long to test.
        return self.states[:: max(1, len(self.states) // 40)]

    @property
    def some_moments(self) -> list[SeatDecisionPoint]:
        """Sample of at most 79 decision points, evenly spread over the match."""
        return self.moments[:: max(1, len(self.moments) // 40)]

    def add_facts(self, facts: Sequence[Fact]) -> None:
        """Record events of the match, with the state after each of them."""
        for fact in facts:
            self.facts.append(fact)
            self.states.append(self.game.apply(self.states[-1], fact))


def play_random_match(
    rules: Game[Any, Any, Any, Any], seats: int, number: int, options: Any, *, silent: bool = False
) -> RandomMatch:
    """Play a match with random choices and return its record. Raises EndlessMatchError.

    With `silent`, every seat always chooses the first menu item.
    """
    chance = RandomStreamLabelRecorder(seed_of("law", rules.name, seats, number))
    draw = MatchRandomness(seed_of("law choices", rules.name, seats, number)).at("choices")
    match = RandomMatch(game=rules, seats=seats, labels=chance.labels)
    match.states.append(rules.setup(seats, options))
    match.add_facts(rules.deal(match.states[0], chance))
    while due := rules.turn(match.states[-1]):
        if len(match.moments) > MAX_CHOICES:
            raise EndlessMatchError(f"match {number} of {rules.name} did not end after {MAX_CHOICES} choices")
        menus = [(seat, rules.legal(match.states[-1], seat)) for seat in due]
        for seat, menu in menus:
            match.moments.append(SeatDecisionPoint(match.states[-1], seat, menu))
            reach = 1 if silent else REACHES[(number + seat * (number % 3)) % len(REACHES)]
            action = menu[draw.below(min(len(menu), reach))]
            match.add_facts(rules.decide(match.states[-1], seat, action, chance))
    return match


@cache
def play_random_matches(name: str, seats: int, count: int) -> tuple[RandomMatch, ...]:
    """Return `count` random matches of a game with its default options; equal arguments give equal matches."""
    rules = game(name)
    return tuple(play_random_match(rules, seats, number, rules.options()) for number in range(count))


def list_secret_values(match: RandomMatch) -> dict[tuple[type, str], set[Any]]:
    """Return all values that secret fields have in a match, by type of event and field name."""
    values: dict[tuple[type, str], set[Any]] = {}
    for fact in match.facts:
        for name in secret_fields_of(type(fact)):
            values.setdefault((type(fact), name), set()).add(getattr(fact, name))
    return values
