"""Native (C++) rules of a game in place of its Python rules, to simulate matches and to rerun logs faster.

Native rules cannot be used if the library is not built, if it does not have this version of the game, or if they refuse
the input. The caller then uses the Python rules, which report the error if the input is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import c_char_p, c_int32
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ftk_core.facts import OMNISCIENT, Action, Viewer, encode
from ftk_core.game import Game, MatchResult, Seat
from ftk_core.games import list_games
from ftk_core.native.native_match import NativeMatch
from ftk_core.native.shared_rules_library import MAX_SEATS, NativeError, NativePlayoutParameters, load_library

AnyGame = Game[Any, Any, Any, Any]
_result_decoder = msgspec.json.Decoder(tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]])


def has_native_rules(game: AnyGame) -> bool:
    """Return True if native rules can replace the rules `game`.

    The library must be built and have the same version of the game, and `game` must be registered (see `list_games`).
    """
    library = load_library()
    if library is None or list_games().get(game.name) is not game:
        return False
    return bool(library.ftk_game_version(game.name.encode()) == game.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayoutStartingPosition:
    """Starting point of playouts (simulated matches): a state, and the steps that each playout takes first."""

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
    luck: bytes | None = None
    """Seed of the match, if all playouts have the same luck as the match; None if each playout has its own seed."""


class NativePosition:
    """State in the native library, from which many playouts (simulated matches) can start."""

    __slots__ = ("_position", "_table", "_terms")

    def __init__(self, position: PlayoutStartingPosition, *, quick: bool, threads: int = 1) -> None:
        """Load the state. All seats play by the game's fast policy in playouts if `quick`, and at random if not.

        Raise NativeError if the game has no native rules or these refuse the state.
        """
        if not has_native_rules(position.game):
            raise NativeError(f"{position.game.name} has no native rules of version {position.game.version}")
        self._position, self._table = position, NativeMatch(position.game.name, position.seats)
        self._table.set_state(encode(position.state))
        seat, item = position.first_move or (0, -1)
        early = (c_char_p * MAX_SEATS)()
        for chooser, action in position.early_choices.items():
            early[chooser] = encode(action)
        self._terms = NativePlayoutParameters(
            luck=position.luck, early=early, deal=position.deal, seat=seat, item=item, viewer=position.viewer,
            policy=not quick, threads=threads,
        )  # fmt: skip

    def places(self, name: str, numbers: range) -> list[tuple[int, ...]]:
        """Run one playout for each number in `numbers`; return the final places by seat of each playout.

        Playout ``k`` has its own seed, derived from the text ``<name>/k``. So the number of threads does not
        change the result. Raise NativeError if the native rules refuse the position.
        """
        return self._play(name, numbers)

    def places_by_item(self, seat: int, items: Sequence[int], name: str, numbers: range) -> list[list[tuple[int, ...]]]:
        """Run the same playouts after each of several choices: the items `items` of a seat's menu.

        After each item there is one playout for each number in `numbers`. Return one list per item, with the
        final places by seat of each playout. Playout ``k`` has the same luck and the same deal of hidden cards
        for every item. Raise NativeError if the native rules refuse the position or an item.
        """
        first_seat = self._terms.seat
        self._terms.seat, self._terms.item_count = seat, len(items)
        self._terms.items = (c_int32 * len(items))(*items)
        try:
            places = self._play(name, numbers)
        finally:
            self._terms.seat, self._terms.item_count = first_seat, 0
        return [places[at :: len(items)] for at in range(len(items))]

    def policy_choice(self, seat: int, seed: bytes) -> int:
        """Return the menu index that the game's fast policy chooses for a seat, with random numbers from `seed`.

        The fast policy is a simple player, which chooses for all seats in simulated matches. Raise NativeError if the
        seat has no choice to make.
        """
        return self._table.quick(seat, seed)

    def _play(self, name: str, numbers: range) -> list[tuple[int, ...]]:
        text = name.encode()
        self._terms.name, self._terms.name_size = text, len(text)
        self._terms.first, self._terms.count = numbers.start, len(numbers)
        return self._table.play_out(self._terms)


def rerun_entries(game: AnyGame, seats: int, options: bytes, seed: bytes, lines: bytes) -> MatchResult | None:
    """Rerun the choices of a log with native rules, and compare each resulting line with the log.

    Return the result of the match. Return None if the game has no native rules, or if they refuse the log because a
    line differs or is invalid. `lines` are the log entries without the first and the last, each with its newline.
    """
    if not has_native_rules(game):
        return None
    try:
        table = NativeMatch(game.name, seats, options)
        table.seed(seed)
        return MatchResult(*_result_decoder.decode(table.rerun(lines)))
    except NativeError:
        return None
