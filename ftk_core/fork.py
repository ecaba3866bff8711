"""The fork: a table at one choice of a match that plays on, in one of two ways that are never mixed up.

*As it was*: the same seed, so the same draws by purpose; what would have followed from another choice. *As it could
have been*: what some eyes did not know is dealt again, and chance to come is new. The log is folded once, and each
playing on begins with what was folded.
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
    """Raised where a match cannot be forked so; the message says why, and what can be done."""


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """A choice of a match, with the table at which it was made."""

    game: Any
    """The rules."""
    opened: Opened
    entry: int
    """The number of the choice's entry in the log."""
    state: Any
    """When the turn began."""
    seat: Seat
    menu: tuple[Action, ...]
    chosen: int
    """Into the menu."""
    given: Mapping[Seat, Action]
    """What others chose before it in the same turn, which nobody at the table knew."""


class AsItWas(msgspec.Struct, frozen=True):
    """A fork with the match's own chance."""

    fork: Fork
    seed: bytes

    def play(self, item: int, choose: Choose) -> Any:
        """Play on with an item of the menu; return the last state."""
        fork = self.fork
        given = {**fork.given, fork.seat: fork.menu[item]}
        return play_on(fork.game, fork.state, Chance(self.seed), choose, given)[0]


class AsItCouldHaveBeen(msgspec.Struct, frozen=True):
    """A fork at which what some eyes did not know is dealt again."""

    fork: Fork
    viewer: Viewer

    def play(self, item: int, choose: Choose, chance: Chance) -> Any:
        """Deal again, play on with an item of the menu; return the last state.

        What others chose in the same turn is known to all eyes alone.
        """
        fork = self.fork
        given = {**(fork.given if self.viewer == OMNISCIENT else {}), fork.seat: fork.menu[item]}
        state = dealt_again(fork.game, fork.state, self.viewer, chance)
        return play_on(fork.game, state, chance, choose, given)[0]


def rules_of(opened: Opened) -> AnyGame:
    """Return the rules of a match; raises NoFork for earlier ones, by which nobody plays on, and UnknownGame."""
    game = game_of(opened)
    if game is not shelf()[opened.game]:
        newest = shelf()[opened.game].version
        raise NoFork(f"the match was played by version {game.version} of {game.title}: only {newest} is played on")
    return game


def seed_in(lines: Sequence[bytes]) -> bytes:
    """Return the seed that a match's log reveals; raises NoFork for one that is void, or not at its end."""
    closed = read(lines[-1])
    if not isinstance(closed, Closed):
        raise NoFork("the match is void or not at its end: its seed is not revealed, without which its luck is unknown")
    return bytes.fromhex(closed.seed)


def check_eyes(game: AnyGame, viewer: Viewer) -> None:
    """Raise NoFork for a game that cannot deal again what such eyes do not know."""
    if viewer != OMNISCIENT and game.resample is None:
        raise NoFork(f"{game.title} cannot deal again what some eyes do not know: it has no `resample`; take all eyes")


def dealt_again(game: AnyGame, state: Any, viewer: Viewer, chance: Chance) -> Any:
    """Return a state that the viewer cannot tell from this one; all eyes know it."""
    if viewer == OMNISCIENT or game.resample is None:
        return state
    return game.resample(state, viewer, chance)


def as_it_was(lines: Sequence[bytes], entry: int) -> AsItWas:
    """Fork a finished match at a choice, with its own chance; raises NoFork, or UnknownGame."""
    return AsItWas(fork_at(lines, entry), seed_in(lines))


def as_it_could_have_been(lines: Sequence[bytes], entry: int, viewer: Viewer) -> AsItCouldHaveBeen:
    """Fork a match at a choice, to deal again what a viewer did not know; raises NoFork, or UnknownGame."""
    fork = fork_at(lines, entry)
    check_eyes(fork.game, viewer)
    return AsItCouldHaveBeen(fork, viewer)


def fork_at(lines: Sequence[bytes], entry: int) -> Fork:
    """Fold a log to a choice; raises NoFork for an entry that is none, or UnknownGame."""
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
    """Return the typed action of a choice; raises msgspec.ValidationError if the game knows none such."""
    action: Action = decoder_of(game.actions).decode(chose.action)
    return action
