"""Fork of a match: play on from one of its choices, in one of two modes.

`AsItWas` keeps the seed, and so the same draws for each purpose: it shows what would have followed from another choice.
`AsItCouldHaveBeen` deals again whatever a viewer did not know, and draws new luck for the future. The log is folded
once; each playout starts from the folded state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ftk_core.bare import Choose, play_on
from ftk_core.entries import Chose, Closed, Happened, Opened, read
from ftk_core.facts import OMNISCIENT, Action, Viewer
from ftk_core.fold import AnyGame, bare_table, decoder_of, fact_in
from ftk_core.game import Seat
from ftk_core.games import game_of, shelf
from ftk_core.questions import opening_of
from ftk_core.rng import Chance


class NoFork(ValueError):
    """Raised if a match cannot be forked in this way. The message gives the reason and the remedy."""


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """One choice of a match, with the state in which it was made."""

    game: Any
    """Rules of the game."""
    opened: Opened
    entry: int
    """Number of the choice's entry in the log."""
    state: Any
    """State at the beginning of the turn."""
    seat: Seat
    menu: tuple[Action, ...]
    chosen: int
    """Index into the menu."""
    given: Mapping[Seat, Action]
    """Choices made earlier in the same turn by other seats. Nobody at the table knew them."""


class AsItWas(msgspec.Struct, frozen=True):
    """Fork that keeps the match's own luck."""

    fork: Fork
    seed: bytes

    def play(self, item: int, choose: Choose) -> Any:
        """Play on with an item of the menu; return the final state."""
        fork = self.fork
        given = {**fork.given, fork.seat: fork.menu[item]}
        return play_on(fork.game, fork.state, Chance(self.seed), choose, given)[0]


class AsItCouldHaveBeen(msgspec.Struct, frozen=True):
    """Fork that deals again whatever a viewer did not know."""

    fork: Fork
    viewer: Viewer

    def play(self, item: int, choose: Choose, chance: Chance) -> Any:
        """Deal again and play on with an item of the menu; return the final state.

        Other seats' choices in the same turn are only known to the omniscient viewer.
        """
        fork = self.fork
        given = {**(fork.given if self.viewer == OMNISCIENT else {}), fork.seat: fork.menu[item]}
        state = dealt_again(fork.game, fork.state, self.viewer, chance)
        return play_on(fork.game, state, chance, choose, given)[0]


def rules_of(opened: Opened) -> AnyGame:
    """Return the rules of a match; raise NoFork for an older version of the rules, or UnknownGame."""
    game = game_of(opened)
    if game is not shelf()[opened.game]:
        newest = shelf()[opened.game].version
        raise NoFork(f"the match was played by version {game.version} of {game.title}: only {newest} is played on")
    return game


def seed_in(lines: Sequence[bytes]) -> bytes:
    """Return the seed that a log reveals; raise NoFork if the match is void or not finished."""
    closed = read(lines[-1])
    if not isinstance(closed, Closed):
        raise NoFork("the match is void or not at its end: its seed is not revealed, without which its luck is unknown")
    return bytes.fromhex(closed.seed)


def check_eyes(game: AnyGame, viewer: Viewer) -> None:
    """Raise NoFork if the game cannot deal again what this viewer does not know."""
    if viewer != OMNISCIENT and game.resample is None:
        raise NoFork(f"{game.title} cannot deal again what some eyes do not know: it has no `resample`; take all eyes")


def dealt_again(game: AnyGame, state: Any, viewer: Viewer, chance: Chance) -> Any:
    """Return a state that the viewer cannot distinguish from this one; the omniscient viewer gets it unchanged."""
    if viewer == OMNISCIENT or game.resample is None:
        return state
    return game.resample(state, viewer, chance)


def as_it_was(lines: Sequence[bytes], entry: int) -> AsItWas:
    """Fork a finished match at a choice and keep its luck; raise NoFork or UnknownGame."""
    return AsItWas(fork_at(lines, entry), seed_in(lines))


def as_it_could_have_been(lines: Sequence[bytes], entry: int, viewer: Viewer) -> AsItCouldHaveBeen:
    """Fork a match at a choice and deal again what the viewer did not know; raise NoFork or UnknownGame."""
    fork = fork_at(lines, entry)
    check_eyes(fork.game, viewer)
    return AsItCouldHaveBeen(fork, viewer)


def fork_at(lines: Sequence[bytes], entry: int) -> Fork:
    """Fold a log up to a choice; raise NoFork if the entry is not a choice, or UnknownGame."""
    opened = opening_of(lines)
    game = rules_of(opened)
    if not 0 <= entry < len(lines):
        raise NoFork(f"entry {entry}: the log has the entries 0 to {len(lines) - 1}")
    here = read(lines[entry])
    if not isinstance(here, Chose):
        raise NoFork(f"entry {entry} is no choice: nobody was asked there; `ftk story` tells what happened")
    state, given = bare_table(game, opened), dict[Seat, Action]()
    for line in lines[1:entry]:
        before = read(line)
        if isinstance(before, Happened):
            state, given = game.apply(state, fact_in(game, before)), {}
        elif isinstance(before, Chose):
            given[before.seat] = action_in(game, before)
    menu = tuple(game.legal(state, here.seat))
    return Fork(
        game=game, opened=opened, entry=entry, state=state, seat=here.seat, menu=menu,
        chosen=menu.index(action_in(game, here)), given=given,
    )  # fmt: skip


def action_in(game: AnyGame, chose: Chose) -> Action:
    """Decode the action of a choice; raise msgspec.ValidationError if the game does not define it."""
    action: Action = decoder_of(game.actions).decode(chose.action)
    return action
