"""Faster C++ replacement for a game's Python rules, to simulate matches and to rerun logs."""
# Callers fall back to the Python rules, which also report wrong input.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import c_char_p, c_int32
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ftk_core.facts import OMNISCIENT, Action, Viewer, encode
from ftk_core.game import Game, MatchResult, Seat
from ftk_core.games import list_games
from ftk_core.native.native_match import NativeMatch, check_seed
from ftk_core.native.shared_rules_library import MAX_SEATS, NativeError, NativePlayoutParameters, load_library

AnyGame = Game[Any, Any, Any, Any]
_result_decoder = msgspec.json.Decoder(tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]])


def has_native_rules(game: AnyGame) -> bool:
    """Return True if the C++ library is built and contains this version of the game's rules."""
    # Old versions exist only in Python.
    library = load_library()
    if library is None or list_games().get(game.name) is not game:
        return False
    return bool(library.ftk_game_version(game.name.encode()) == game.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayoutStartingPosition:
    """Start of playouts (simulated matches): a game state, and settings for the first steps of a playout."""

    game: AnyGame
    state: Any
    seats: int
    deal: bool = False
    """True if nothing has been dealt yet. Each playout then begins with the deal."""
    first_move: tuple[Seat, int] | None = None
    """Pair (seat, menu index): choice that each playout plays first. None if the policy makes it."""
    viewer: Viewer = OMNISCIENT
    """Viewer whose knowledge is kept: each playout deals again everything else. OMNISCIENT: nothing is dealt again."""
    early_choices: Mapping[Seat, Action] = field(default_factory=dict)
    """Seat -> action that it has already chosen in the present turn. In playouts, these seats do not choose again."""
    candidates: int = 0
    """If greater than 0, each playout of menu items draws this number of hidden states, and starts from a likely one.

    They are likely if all seats but the viewer have played by the game's fast policy (see `Game.likelihood`).
    """
    luck: bytes | None = None
    """Seed of the match, if all playouts have the same luck as the match; None if each playout has its own seed."""


class NativePosition:
    """State in the native library, from which many playouts (simulated matches) can start."""

    __slots__ = ("_position", "_table", "_terms", "effective")

    def __init__(self, position: PlayoutStartingPosition, *, quick: bool, threads: int = 1) -> None:
        """Load a game state into the C++ library.

        With `quick`, all players use the game's fast policy in simulations. Otherwise they choose at random. Raises
        NativeError if the game has no C++ rules, the rules refuse the state, or `position.luck` is not 32 bytes long.
        """
        if not has_native_rules(position.game):
            raise NativeError(f"{position.game.name} has no native rules of version {position.game.version}")
        self._position, self._table = position, NativeMatch(position.game.name, position.seats)
        self.effective: list[float] = []
        """Effective number of hidden states of each simulation in the last `places_by_item` (see `Game.likelihood`)."""
        self._table.set_state(encode(position.state))
        seat, item = position.first_move or (0, -1)
        early = (c_char_p * MAX_SEATS)()
        for chooser, action in position.early_choices.items():
            early[chooser] = encode(action)
        luck = None if position.luck is None else check_seed(position.luck)
        self._terms = NativePlayoutParameters(
            luck=luck, early=early, deal=position.deal, seat=seat, item=item, viewer=position.viewer,
            policy=not quick, threads=threads,
        )  # fmt: skip

    def places(self, name: str, numbers: range) -> list[tuple[int, ...]]:
        """Simulate one match for each number. Return the final places of each match, by seat.

        The random seed of a match is derived from `name` and its number. Raises NativeError if the rules refuse the
        position.
        """
        # The number of threads therefore does not change the results.
        return self._play(name, numbers)

    def places_by_item(
        self, seat: int, items: Sequence[int], name: str, numbers: range, later: int | None = None
    ) -> list[list[tuple[int, ...]]]:
        """Simulate the same matches once for each menu item in `items`, as the player's next choice.

        The player also chooses the menu item `later`, once, at the first later menu that contains it and is at least as
        long. Return a list for each item. It holds the final places of each match, by seat. Raises NativeError if the
        rules refuse the position or an item.
        """
        # Simulations with the same number have the same random draws and hidden cards for every item.
        first_seat = self._terms.seat
        self._terms.seat, self._terms.item_count = seat, len(items)
        self._terms.items = (c_int32 * len(items))(*items)
        self._terms.later = 0 if later is None else later + 1  # counted from 1: 0 stands for none
        try:
            places = self._play(name, numbers, self._position.candidates)
        finally:
            self._terms.seat, self._terms.item_count, self._terms.later = first_seat, 0, 0
        return [places[at :: len(items)] for at in range(len(items))]

    def policy_choice(self, seat: int, seed: bytes) -> int:
        """Return the menu index that the game's fast policy chooses for a player.

        Raises NativeError if the player has no choice.
        """
        return self._table.quick(seat, seed)

    def _play(self, name: str, numbers: range, candidates: int = 0) -> list[tuple[int, ...]]:
        text = name.encode()
        self._terms.name, self._terms.name_size = text, len(text)
        self._terms.first, self._terms.count = numbers.start, len(numbers)
        if not candidates:
            return self._table.play_out(self._terms)
        places, self.effective = self._table.play_out_likely(self._terms, candidates)
        return places


def rerun_entries(game: AnyGame, seats: int, options: bytes, seed: bytes, lines: bytes) -> MatchResult | None:
    """Rerun a match's choices with C++ rules, compare the log lines, and return the result.

    Return None if the C++ rules are missing or fail, or if a line differs. `lines` excludes the first and last entry.
    """
    if not has_native_rules(game):
        return None
    try:
        table = NativeMatch(game.name, seats, options)
        table.seed(seed)
        return MatchResult(*_result_decoder.decode(table.rerun(lines)))
    except NativeError:
        return None
