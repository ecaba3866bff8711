"""Playouts: a position is played to its end many times, by the native rules where there are any.

Every playout draws its luck from the name of the position and its own number: both engines and all machines compute
the same results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ftk_core.match_fold import AnyGame
from ftk_core.match_fork import deal_again
from ftk_core.native.rules import Position, native_places
from ftk_core.random_streams import Label, MatchRandomness, RandomBitStream, seed_of
from ftk_core.unlogged_play import Choose, continue_play, follow_of


class Policy(Protocol):
    """Strategy that chooses for all seats in a playout, which is a simulation of the rest of a match."""

    @property
    def name(self) -> str:
        """Name of the policy, as a review records it."""
        ...

    def start(self, game: AnyGame, seats: int, draw: RandomBitStream, /) -> Choose:
        """Return a function that chooses for all seats in one playout, with random numbers from `draw`."""
        ...


@dataclass(frozen=True, slots=True)
class QuickPolicy:
    """Policy that uses the game's `quick` function, or random choices if the game has none."""

    threads: int = 1
    """Number of threads that share the playouts by the native rules."""
    name: str = field(default="quick", init=False)

    def start(self, game: AnyGame, _seats: int, draw: RandomBitStream, /) -> Choose:
        """Return the game's `quick` function, or a function that chooses uniformly at random."""
        quick = game.quick
        if quick is None:
            return RandomPolicy().start(game, _seats, draw)
        return lambda state, seat, menu: quick(state, seat, menu, draw)


@dataclass(frozen=True, slots=True)
class RandomPolicy:
    """Policy that chooses uniformly at random."""

    threads: int = 1
    """Number of threads that share the playouts by the native rules."""
    name: str = field(default="anything", init=False)

    def start(self, _game: AnyGame, _seats: int, draw: RandomBitStream, /) -> Choose:
        """Return a function that chooses uniformly at random."""
        return lambda _state, _seat, menu: draw.below(len(menu))


def playouts_of(name: Sequence[Label], numbers: range) -> Iterator[tuple[MatchRandomness, RandomBitStream]]:
    """Yield the randomness of the numbered playouts of a position: one for the match, one for the policy."""
    for number in numbers:
        source = MatchRandomness(seed_of(*name, number))
        yield source, source.at("policy")


def play_out(position: Position, policy: Policy, name: Sequence[Label], numbers: range) -> list[tuple[int, ...]]:
    """Return the places by seat of the numbered playouts of the position with this name."""
    if isinstance(policy, QuickPolicy | RandomPolicy):
        quick = isinstance(policy, QuickPolicy)
        places = native_places(position, "/".join(map(str, name)), numbers, quick=quick, threads=policy.threads)
        if places is not None:
            return places
    return [_play_once(position, policy, chance, draw) for chance, draw in playouts_of(name, numbers)]


def _play_once(position: Position, policy: Policy, chance: MatchRandomness, draw: RandomBitStream) -> tuple[int, ...]:
    game, state = position.game, position.state
    if position.luck is not None:
        chance = MatchRandomness(position.luck)
    for fact in game.deal(state, chance) if position.deal else ():
        state = game.apply(state, fact)
    if position.first_move is not None:
        seat, item = position.first_move
        state = follow_of(game)(state, seat, game.legal(state, seat)[item], chance)[1]
    state = deal_again(game, state, position.viewer, chance)
    choose = policy.start(game, position.seats, draw)
    last, _ = continue_play(game, state, chance, choose, position.early_choices)
    places: tuple[int, ...] = game.result(last).places
    return places
