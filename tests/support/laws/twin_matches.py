"""Pairs of different matches that look the same to the public from the first fact to the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ftk_core.facts import PUBLIC, Action
from ftk_core.game import Game, Seat
from ftk_core.games import game
from ftk_core.hash_chained_log import lines_of
from ftk_core.log_entries import MatchFinished, read
from ftk_core.random_streams import MatchRandomness, RandomBitStream
from ftk_core.unlogged_play import follow_of
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.rigged import ReplayedChance, ReplayedDraw, WorldImpossible
from tests.support.laws.worlds import World, compare_worlds, play_to_end, play_world

AnyGame = Game[Any, Any, Any, Any]
TRIES = 60
"""Number of random matches for which a twin is searched."""
DRAWS = 6
"""Number of changed matches that are tried for each match."""


@dataclass(frozen=True)
class TwinMatches:
    """Two logs, each with the rules and seed that produce it."""

    logs: tuple[list[bytes], list[bytes]]
    rules: tuple[AnyGame, AnyGame]
    alike: int
    """Number of facts that look the same to the public; the result may reveal hidden information."""


def list_twin_matches(name: str) -> Iterator[TwinMatches]:
    """Yield pairs of finished matches with the same places that differ in secrets only before the result."""
    rules = game(name)
    for number in range(TRIES):
        seats = rules.seats[number % 2]
        world, diary = play_world(rules, seats, options_for(name, seats, number), number, PUBLIC)
        for draw in range(DRAWS):
            other = other_world(name)(world, PUBLIC, Random(f"whole {number} {draw}"))
            try:
                twin, common = compare_worlds(world, diary, other)
                if not _places(world) or common < len(world.facts) - 1:
                    continue
                whole = play_to_end(twin, other.says)
            except WorldImpossible:
                continue
            if _places(whole) == _places(world):
                yield TwinMatches(
                    (_log(world), _log(whole)), (rules, rules_with_outcomes(rules, world.seed, other.says)), common
                )


class RecalledDraw(ReplayedDraw):
    """A draw with a given order for some items and random orders for the others, as in a review."""

    __slots__ = ("_ever",)

    def __init__(self, says: list[Any], ever: RandomBitStream) -> None:
        super().__init__(says)
        self._ever = ever

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the given order if it is one of these items."""
        try:
            return super().shuffled(items)
        except WorldImpossible:
            return self._ever.shuffled(items)


class RecalledChance(ReplayedChance):
    """Chance with given outcomes for the labels of one world."""

    __slots__ = ()

    def at(self, purpose: str, *numbers: int | str) -> RandomBitStream:
        """Return the draw of a label."""
        ever, said = (
            MatchRandomness(self.seed).at(purpose, *numbers),
            self.says.get("/".join((purpose, *map(str, numbers)))),
        )
        return ever if said is None else RecalledDraw(said, ever)


def rules_with_outcomes(rules: AnyGame, seed: bytes, says: dict[str, list[Any]]) -> AnyGame:
    """Return rules in which the chance of one seed has the given outcomes."""

    def chance_of(chance: MatchRandomness) -> MatchRandomness:
        return RecalledChance(seed, says) if chance.seed == seed else chance

    def decide(state: Any, seat: Seat, action: Action, chance: MatchRandomness) -> Any:
        return rules.decide(state, seat, action, chance_of(chance))

    def follow(state: Any, seat: Seat, action: Action, chance: MatchRandomness) -> Any:
        return follow_of(rules)(state, seat, action, chance_of(chance))

    def deal(state: Any, chance: MatchRandomness) -> Any:
        return rules.deal(state, chance_of(chance))

    return replace(rules, deal=deal, decide=decide, follow=follow)


def _log(world: World) -> list[bytes]:
    return [line.rstrip(b"\n") for line in lines_of(world.log)]


def _places(world: World) -> tuple[int, ...]:
    closed = read(_log(world)[-1])
    return closed.places if isinstance(closed, MatchFinished) else ()
