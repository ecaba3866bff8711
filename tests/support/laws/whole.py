"""Whole matches that are not the same, and of which the public sees the same from the first fact to the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ftk_core.bare import follow_of
from ftk_core.entries import Closed, read
from ftk_core.facts import PUBLIC, Action
from ftk_core.game import Game, Seat
from ftk_core.games import game
from ftk_core.log import lines_of
from ftk_core.rng import Chance, Draw
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.rigged import Impossible, SetChance, SetDraw
from tests.support.laws.worlds import World, compare, played, to_its_end

AnyGame = Game[Any, Any, Any, Any]
TRIES = 60
DRAWS = 6
"""Other worlds that are tried for each match."""


@dataclass(frozen=True)
class Twins:
    """Two logs, each with the rules by which it follows from its seed."""

    logs: tuple[list[bytes], list[bytes]]
    rules: tuple[AnyGame, AnyGame]
    alike: int
    """Facts of which the public is told the same; a result may lay open what was hidden until then."""


def whole_twins(name: str) -> Iterator[Twins]:
    """Yield pairs of matches that ended, with the same places, and differ before the result in secrets alone."""
    rules = game(name)
    for number in range(TRIES):
        seats = rules.seats[number % 2]
        world, diary = played(rules, seats, options_for(name, seats, number), number, PUBLIC)
        for draw in range(DRAWS):
            other = other_world(name)(world, PUBLIC, Random(f"whole {number} {draw}"))
            try:
                twin, common = compare(world, diary, other)
                if not _places(world) or common < len(world.facts) - 1:
                    continue
                whole = to_its_end(twin, other.says)
            except Impossible:
                continue
            if _places(whole) == _places(world):
                yield Twins((_log(world), _log(whole)), (rules, recalling(rules, world.seed, other.says)), common)


class RecalledDraw(SetDraw):
    """A draw that shuffles other things, where a review tries what might have been, as ever."""

    __slots__ = ("_ever",)

    def __init__(self, says: list[Any], ever: Draw) -> None:
        super().__init__(says)
        self._ever = ever

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the order that it is told to say, if it is one of these things."""
        try:
            return super().shuffled(items)
        except Impossible:
            return self._ever.shuffled(items)


class RecalledChance(SetChance):
    """Chance that says what it is told to when it is asked for the same."""

    __slots__ = ()

    def at(self, purpose: str, *numbers: int | str) -> Draw:
        """Return the draw of a label."""
        ever, said = Chance(self.seed).at(purpose, *numbers), self.says.get("/".join((purpose, *map(str, numbers))))
        return ever if said is None else RecalledDraw(said, ever)


def recalling(rules: AnyGame, seed: bytes, says: dict[str, list[Any]]) -> AnyGame:
    """Return the rules of a world in which the chance of that one seed says other things."""

    def chance_of(chance: Chance) -> Chance:
        return RecalledChance(seed, says) if chance.seed == seed else chance

    def decide(state: Any, seat: Seat, action: Action, chance: Chance) -> Any:
        return rules.decide(state, seat, action, chance_of(chance))

    def follow(state: Any, seat: Seat, action: Action, chance: Chance) -> Any:
        return follow_of(rules)(state, seat, action, chance_of(chance))

    def deal(state: Any, chance: Chance) -> Any:
        return rules.deal(state, chance_of(chance))

    return replace(rules, deal=deal, decide=decide, follow=follow)


def _log(world: World) -> list[bytes]:
    return [line.rstrip(b"\n") for line in lines_of(world.log)]


def _places(world: World) -> tuple[int, ...]:
    closed = read(_log(world)[-1])
    return closed.places if isinstance(closed, Closed) else ()
