"""Playouts: simulations that play a position to the end of the match."""
# Random numbers are derived from a name and a playout's number, so the native (C++) and the Python rules compute the
# same results on all machines.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from ftk_core.facts import Viewer, encode
from ftk_core.game import Seat
from ftk_core.match_fork import deal_again, deal_likely
from ftk_core.match_state_from_log import AnyGame
from ftk_core.native.native_game_rules import NativePosition, PlayoutStartingPosition, has_native_rules
from ftk_core.native.native_match import NativeHiddenStateSampler, NativeMatch
from ftk_core.native.shared_rules_library import NativeError
from ftk_core.random_streams import Label, MatchRandomness, RandomBitStream, seed_of
from ftk_core.unlogged_play import Choose, follow_of, play_from_state


class PlayoutPolicy(Protocol):
    """Strategy that chooses for all players in a simulated match."""

    @property
    def name(self) -> str:
        """Name of the policy, as a review records it."""
        ...

    def start(self, game: AnyGame, seats: int, draw: RandomBitStream, /) -> Choose:
        """Return a function that maps state, seat and menu to the index of the chosen action.

        The function draws its random numbers from `draw`.
        """
        ...


@dataclass(frozen=True, slots=True)
class QuickPlayoutPolicy:
    """PlayoutPolicy that chooses by the fast function `Game.quick`, or at random if the game has none."""

    threads: int = 1
    """Number of threads that share the playouts by the native rules."""
    name: str = field(default="quick", init=False)

    def start(self, game: AnyGame, _seats: int, draw: RandomBitStream, /) -> Choose:
        """Return a function that chooses the actions of a playout with the game's `quick` function, else at random."""
        quick = game.quick
        if quick is None:
            return RandomPlayoutPolicy().start(game, _seats, draw)
        return lambda state, seat, menu: quick(state, seat, menu, draw)


@dataclass(frozen=True, slots=True)
class RandomPlayoutPolicy:
    """PlayoutPolicy that chooses uniformly at random."""

    threads: int = 1
    """Number of threads that share the playouts by the native rules."""
    name: str = field(default="anything", init=False)

    def start(self, _game: AnyGame, _seats: int, draw: RandomBitStream, /) -> Choose:
        """Return a function that chooses uniformly at random."""
        return lambda _state, _seat, menu: draw.below(len(menu))


def randomness_of_playouts(name: Sequence[Label], numbers: range) -> Iterator[tuple[MatchRandomness, RandomBitStream]]:
    """Yield two random sources per simulated match: one for the game's luck, one for the strategy's choices."""
    # Both are derived from `name` and the number of the playout.
    for number in numbers:
        source = MatchRandomness(seed_of(*name, number))
        yield source, source.at("policy")


class PlayoutPosition:
    """Position together with the strategy that plays it to the end."""

    def __init__(self, position: PlayoutStartingPosition, policy: PlayoutPolicy, name: Sequence[Label]) -> None:
        """Store the position. Load it into the C++ library if the library supports the game and the policy."""
        # The random numbers of all playouts are derived from `name`.
        self._position, self._policy, self._name = position, policy, name
        self.effective: dict[int, float] = {}
        """Number of a simulation -> effective number of its candidate states (see `Game.likelihood`); 0 if unknown."""
        self._native: NativePosition | None = None
        if isinstance(policy, QuickPlayoutPolicy | RandomPlayoutPolicy):
            with suppress(NativeError):
                self._native = NativePosition(
                    position, quick=isinstance(policy, QuickPlayoutPolicy), threads=policy.threads
                )

    @property
    def game(self) -> AnyGame:
        """Rules of the game."""
        return self._position.game

    def play_out(self, numbers: range) -> list[tuple[int, ...]]:
        """Simulate the rest of the match several times; return the final places by seat of each simulation.

        `numbers` are the numbers of the simulations, from which their luck is derived.
        """
        if self._native is not None:
            with suppress(NativeError):
                return self._native.places("/".join(map(str, self._name)), numbers)
        return [
            _play_once(self._position, self._policy, chance, draw)
            for chance, draw in randomness_of_playouts(self._name, numbers)
        ]

    def play_out_items(
        self, seat: Seat, items: Sequence[int], numbers: range, later: int | None = None
    ) -> list[list[tuple[int, ...]]]:
        """Simulate the rest of the match after each of several actions of one player.

        The player also chooses the action `later` of the present menu, once, at the first later menu that contains it
        and is at least as long. Return, for each item of `items`, the final places by seat of each simulation.
        """
        # Playouts with the same number have the same hidden state and luck, so the items can be compared.
        if self._native is not None:
            with suppress(NativeError):
                places = self._native.places_by_item(seat, items, "/".join(map(str, self._name)), numbers, later)
                self.effective.update(zip(numbers, self._native.effective, strict=False))
                return places
        worlds = [self._play_items(seat, items, number, later) for number in numbers]
        return [[places[at] for places in worlds] for at in range(len(items))]

    def _play_items(self, seat: Seat, items: Sequence[int], number: int, later: int | None) -> list[tuple[int, ...]]:
        """Simulate the rest of the match once after each of several actions of a player.

        All simulations use the same random numbers. Return the final places by seat after each action.
        """
        start = self._position
        game, chance = start.game, MatchRandomness(seed_of(*self._name, number))
        if start.candidates:
            world, self.effective[number] = deal_likely(game, start.state, start.viewer, chance, start.candidates)
        else:
            world = deal_again(game, start.state, start.viewer, chance)
        menu, results = game.legal(world, seat), list[tuple[int, ...]]()
        for item in items:
            choose = self._policy.start(game, start.seats, chance.at("policy"))
            if later is not None:
                choose = _choose_later(choose, seat, menu[later], len(menu))
            last, _ = play_from_state(game, world, chance, choose, {seat: menu[item]})
            results.append(game.result(last).places)
        return results

    def policy_choice(self, seat: Seat, menu: Sequence[Any], trial: int) -> int:
        """Return the menu index that the strategy chooses for a player."""
        # Each number `trial` gives other random numbers.
        seed = seed_of(*self._name, "trial", trial)
        if isinstance(self._policy, QuickPlayoutPolicy) and self._position.game.quick and self._native is not None:
            with suppress(NativeError):
                return self._native.policy_choice(seat, seed)
        choose = self._policy.start(self._position.game, self._position.seats, MatchRandomness(seed).at("policy"))
        return choose(self._position.state, seat, menu)


class HiddenGameStateSampler:
    """Sampler of random states that look to one viewer just like a given state."""

    def __init__(self, game: AnyGame, seats: int, state: Any, viewer: Viewer) -> None:
        """Store the state and the viewer. Load the state into the C++ library if the library supports the game."""
        self._game, self._state, self._viewer = game, state, viewer
        self._native: NativeHiddenStateSampler | None = None
        if game.resample is not None and has_native_rules(game):
            self._decode = msgspec.json.Decoder(type(state)).decode
            with suppress(NativeError):
                table = NativeMatch(game.name, seats)
                table.set_state(encode(state))
                self._native = NativeHiddenStateSampler(table, viewer)

    def sample(self, chance: MatchRandomness) -> Any:
        """Return the state with new random values for everything the viewer does not know."""
        # The same `chance` gives the same state.
        if self._native is not None:
            with suppress(NativeError):
                return self._decode(self._native.deal(chance.seed))
        return deal_again(self._game, self._state, self._viewer, chance)


def play_out(
    position: PlayoutStartingPosition, policy: PlayoutPolicy, name: Sequence[Label], numbers: range
) -> list[tuple[int, ...]]:
    """Simulate the rest of a match several times; return the final places by seat of each simulation.

    `numbers` are the numbers of the simulations. The luck of a simulation is derived from `name` and its number.
    """
    return PlayoutPosition(position, policy, name).play_out(numbers)


def _choose_later(choose: Choose, waiting_seat: Seat, action: Any, least: int) -> Choose:
    """Return a strategy like `choose`, except that one player chooses `action` at the first opportunity, once.

    An opportunity is a menu of `least` items or more that contains the action.
    """
    # A shorter menu is another kind of choice, such as the answer to a question instead of a statement.
    is_waiting = True

    def choose_for(state: Any, seat: Seat, menu: Sequence[Any]) -> int:
        nonlocal is_waiting
        if is_waiting and seat == waiting_seat and len(menu) >= least and action in menu:
            is_waiting = False
            return menu.index(action)
        return choose(state, seat, menu)

    return choose_for


def _play_once(
    position: PlayoutStartingPosition, policy: PlayoutPolicy, chance: MatchRandomness, draw: RandomBitStream
) -> tuple[int, ...]:
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
    last, _ = play_from_state(game, state, chance, choose, position.early_choices)
    places: tuple[int, ...] = game.result(last).places
    return places
