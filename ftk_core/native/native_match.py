"""Native match: a match in progress in the native (C++) library."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_double, c_int8, c_int64, c_void_p
from typing import Any, NoReturn

from ftk_core.native.shared_rules_library import (
    NativeError,
    NativePlayoutParameters,
    NativeSearchParameters,
    last_error,
    load_library,
)

NATIVE_SEED_BYTES = 32
"""Length of a seed in the library. It equals `random_streams.SEED_BYTES`, which bots in the sandbox cannot import."""


def check_seed(seed: bytes) -> bytes:
    """Return the seed unchanged, or raise NativeError unless it has 32 bytes: the C++ code does not check that."""
    if len(seed) != NATIVE_SEED_BYTES:
        raise NativeError(f"a seed has {NATIVE_SEED_BYTES} bytes, not {len(seed)}")
    return seed


class NativeMatch:
    """Match in progress in the native (C++) library: its state and its source of random numbers."""

    __slots__ = ("handle", "library")

    def __init__(self, game: str, seats: int, options: bytes = b"", *, _copy_of: NativeMatch | None = None) -> None:
        """Set up a match before any card is dealt.

        `options` is the JSON of the game options; empty means the defaults. Raises NativeError if the library is
        missing or refuses an argument.
        """
        library = load_library()
        if library is None:
            raise NativeError("the native library is not built: run `python -m ftk_core.native.build`")
        self.library = library
        if _copy_of is None:
            self.handle = library.ftk_new(game.encode(), seats, options, len(options))
        else:
            self.handle = library.ftk_copy(_copy_of.handle)
        if not self.handle:
            raise NativeError(self._error())

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.library.ftk_free(self.handle)

    def copy(self) -> NativeMatch:
        """Return an independent copy of the match in its present state."""
        return NativeMatch("", 0, _copy_of=self)

    __copy__ = copy

    def __deepcopy__(self, _copied: object) -> NativeMatch:
        return self.copy()

    def seed(self, seed: bytes) -> None:
        """Set the seed (32 bytes) from which all random numbers are derived; raises NativeError for another length."""
        self.library.ftk_seed(self.handle, check_seed(seed))

    def seed_fast(self, seed: int) -> None:
        """Use a faster random number generator with this seed. Do not log such a match: a replay cannot repeat it."""
        self.library.ftk_seed_fast(self.handle, seed)

    def seats_due(self) -> tuple[int, ...]:
        """Return the seats that must choose."""
        due = self._check(self.library.ftk_seats_due(self.handle))
        return tuple(seat for seat in range(due.bit_length()) if due >> seat & 1)

    def menu_size(self, seat: int) -> int:
        """Return the number of moves that a player can choose from."""
        return self._check(self.library.ftk_menu_size(self.handle, seat))

    def next_question(self) -> int:
        """Play forced moves, then return the next choice as ``seat << 32 | menu size``, or 0 at the end."""
        # Players who choose at the same time do so in the same state.
        return self._check(self.library.ftk_next_question(self.handle))

    def choose(self, item: int) -> int:
        """Play a menu item and the forced moves after it. Return the next choice as `next_question` does."""
        question: int = self.library.ftk_choose(self.handle, item)
        return question if question >= 0 else self._check(question)

    def step(self, seat: int, item: int) -> None:
        """Apply the legal action number `item` of a seat, and everything that follows before the next choice."""
        self._check(self.library.ftk_step(self.handle, seat, item))

    def quick(self, seat: int, seed: bytes) -> int:
        """Return the menu index that the game's fast policy chooses for a player.

        Raises NativeError if the player has no choice, or if the seed does not have 32 bytes.
        """
        return self._check(self.library.ftk_quick(self.handle, seat, check_seed(seed)))

    def resample(self, viewer: int) -> None:
        """Deal again everything that the viewer does not know."""
        self._check(self.library.ftk_resample(self.handle, viewer))

    def set_state(self, state: bytes) -> None:
        """Set the state from its canonical JSON."""
        self._check(self.library.ftk_set_state(self.handle, state, len(state)))

    def apply(self, fact: bytes) -> None:
        """Apply an event of the match, given as canonical JSON."""
        self._check(self.library.ftk_apply(self.handle, fact, len(fact)))

    def state(self) -> bytes:
        """Return the state as canonical JSON."""
        return self._text("ftk_state")

    def view(self, viewer: int) -> bytes:
        """Return what a viewer may know, as JSON."""
        return self._text("ftk_view", viewer)

    def menu(self, seat: int) -> bytes:
        """Return a seat's menu as a JSON array."""
        return self._text("ftk_menu", seat)

    def result(self) -> bytes:
        """Return the result (places, scores and roles of the seats) as a JSON array."""
        return self._text("ftk_result")

    def deal(self) -> bytes:
        """Deal the cards of a new match. Return the events as a JSON array."""
        return self._text("ftk_deal")

    def follow_action(self, seat: int, action: bytes) -> bytes:
        """Play a JSON-encoded action, even if it is not on the menu. Return the events as a JSON array."""
        # Simultaneous choices are played in seat order, and each can change the menus of later seats.
        return self._text("ftk_follow_action", seat, action, len(action))

    def rerun(self, lines: bytes) -> bytes:
        """Rerun a match from its log lines. Return places, scores and roles as a JSON array.

        `lines` excludes the first and the last entry.
        """
        return self._text("ftk_rerun", lines, len(lines))

    def play_out(self, terms: NativePlayoutParameters) -> list[tuple[int, ...]]:
        """Simulate the rest of the match `terms.count` times. Return the final places by seat of each simulation.

        If `terms` names actions to compare, each simulation is repeated with every action. The result then lists the
        first simulation with all actions, the second with all actions, and so on.
        """
        places = self._allocate_places(terms)
        self._check(self.library.ftk_playouts(self.handle, byref(terms), places))
        return self._split_places(places)

    def play_out_likely(
        self, terms: NativePlayoutParameters, candidates: int
    ) -> tuple[list[tuple[int, ...]], list[float]]:
        """Simulate as `play_out` does, from hidden states that are likely if the other seats have played by the policy.

        Each simulation draws `candidates` hidden states and starts from one of them. Return the places, and for each
        simulation the effective number of candidates (see `Game.likelihood`), 0 if the game has no likelihoods.
        """
        places, effective = self._allocate_places(terms), (c_double * terms.count)()
        self._check(self.library.ftk_likely_playouts(self.handle, byref(terms), candidates, places, effective))
        return self._split_places(places), list(effective)

    def _allocate_places(self, terms: NativePlayoutParameters) -> Any:
        seats = self._check(self.library.ftk_seats(self.handle))
        return (c_int8 * (terms.count * seats * max(1, terms.item_count)))()

    def _split_places(self, places: Any) -> list[tuple[int, ...]]:
        seats = self._check(self.library.ftk_seats(self.handle))
        return [tuple(places[at : at + seats]) for at in range(0, len(places), seats)]

    def search(
        self, seat: int, budget: int, seed: int, *, at_random: bool = False
    ) -> tuple[int, list[tuple[float, int]]]:
        """Search for a player's best move from what the player knows.

        Return the menu index of the best move, and a pair (share, matches) for each move of the menu. `matches` is the
        number of matches simulated with this move. `share` is the mean share of opponents beaten in them (0 to 1).

        `budget` limits the total number of choices in all simulations. Equal seeds give equal results.
        """
        size = self.menu_size(seat)
        shares, playouts = (c_double * size)(), (c_int64 * size)()
        terms = NativeSearchParameters(seed=seed, budget=budget, seat=seat, policy=at_random)
        best = self._check(self.library.ftk_search(self.handle, byref(terms), shares, playouts))
        return best, list(zip(shares, playouts, strict=True))

    def search_spent(self) -> int:
        """Return how many choices the last search simulated, including what its worlds and estimates cost."""
        # Where the answer is fixed, this is at most some 2,000.
        return int(self.library.ftk_search_spent(self.handle))

    def _text(self, function: str, *arguments: Any) -> bytes:
        text = c_void_p()
        size = self._check(getattr(self.library, function)(self.handle, *arguments, byref(text)))
        return ctypes.string_at(text, size)

    def _check(self, number: int) -> int:
        if number < 0:
            raise NativeError(self._error())
        return number

    def _error(self) -> str:
        return last_error(self.library)


class NativeHiddenStateSampler:
    """Sampler of random complete game states that agree with everything a viewer knows."""

    # For many states this is faster than `NativeMatch.resample`, because the deals are prepared once.

    __slots__ = ("_handle", "_library")

    def __init__(self, table: NativeMatch, viewer: int) -> None:
        """Prepare samples of what `viewer` does not know in the match's present state.

        `viewer` is a seat, `PUBLIC` or `OMNISCIENT`. Raises NativeError for any other number.
        """
        self._library = table.library
        self._handle = self._library.ftk_worlds_new(table.handle, viewer)
        if not self._handle:
            raise NativeError(last_error(self._library))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.ftk_worlds_free(self._handle)

    def __reduce__(self) -> NoReturn:
        """Refuse `copy.copy`: two objects would free the same memory."""
        raise TypeError("a NativeHiddenStateSampler cannot be copied; make another one of the match")

    def deal(self, seed: bytes) -> bytes:
        """Return a random state as canonical JSON, the same for the same seed.

        Raises NativeError if the rules cannot sample the hidden state, or the seed has not 32 bytes.
        """
        text = c_void_p()
        size = self._library.ftk_worlds_deal(self._handle, check_seed(seed), byref(text))
        if size < 0:
            raise NativeError(last_error(self._library))
        return ctypes.string_at(text, size)
