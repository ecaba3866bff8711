"""Moves of a finished match: each choice with the state before it and everything that followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ftk_core.bare import follow_of
from ftk_core.entries import Chose, Closed, Happened, Opened, read
from ftk_core.facts import Action, Fact, encode
from ftk_core.fold import AnyGame, bare_table
from ftk_core.fork import NoFork, action_in, rules_of, seed_in
from ftk_core.game import Seat
from ftk_core.questions import opening_of
from ftk_core.rng import Chance


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One choice as it took effect; also a forced choice from a menu with one item.

    Seats that choose simultaneously are ordered as in the log. The state before a later one's move already contains the
    effect of an earlier one's.
    """

    seat: Seat
    seats: int
    """Number of seats at the table."""
    menu: tuple[Action, ...]
    chosen: int
    """Index into the menu."""
    entry: int | None
    """Number of the choice's entry in the log; None if nobody was asked."""
    before: Any
    """State before the choice took effect."""
    after: Any
    """State after everything that followed."""
    facts: tuple[Fact, ...]
    """Facts of the choice itself, then those that followed."""
    frame: int
    """Number of the frame of the first fact."""

    @property
    def until(self) -> int:
        """Number of the frame of the last fact."""
        return self.frame + len(self.facts) - 1


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """Finished match from its initial table to its end."""

    game: Any
    opened: Opened
    bare: Any
    """State before the deal."""
    dealt: Any
    """State after the deal."""
    dealt_at: int
    """Number of the last frame of the deal; 0 if there is no deal."""
    moves: tuple[Move, ...]
    places: tuple[int, ...]
    """Place of each seat."""
    seed: bytes


def moves_of(lines: Sequence[bytes]) -> Moves:
    """Read the moves in a log; raise NoFork if it is unfinished, of older rules or invalid, or UnknownGame."""
    opened = opening_of(lines)
    game = rules_of(opened)
    chance, told = Chance(seed_in(lines)), _Told(game, lines)
    bare = state = bare_table(game, opened)
    for fact in game.deal(bare, chance):
        state = game.apply(state, told.check(fact))
    dealt, dealt_at = state, told.frame
    moves = tuple(_moves(game, len(opened.players), dealt, chance, told))
    closed = read(lines[-1])
    assert isinstance(closed, Closed)
    return Moves(
        game=game,
        opened=opened,
        bare=bare,
        dealt=dealt,
        dealt_at=dealt_at,
        moves=moves,
        places=closed.places,
        seed=chance.seed,
    )


def _moves(game: AnyGame, seats: int, state: Any, chance: Chance, told: _Told) -> Iterator[Move]:
    follow = follow_of(game)
    while due := game.turn(state):
        choices = []
        for seat in due:
            menu = tuple(game.legal(state, seat))
            choices.append((seat, menu, *(told.choice(seat, menu) if len(menu) > 1 else (0, None))))
        for seat, menu, chosen, entry in choices:
            before, frame = state, told.frame + 1
            facts, state = follow(before, seat, menu[chosen], chance)
            for fact in facts:
                told.check(fact)
            yield Move(
                seat=seat, seats=seats, menu=menu, chosen=chosen, entry=entry, before=before, after=state,
                facts=tuple(facts), frame=frame,
            )  # fmt: skip


class _Told:
    """Reader of a log, entry by entry."""

    def __init__(self, game: AnyGame, lines: Sequence[bytes]) -> None:
        self._game, self._lines, self._at = game, lines, 0
        self.frame = 0

    def _next(self) -> Any:
        self._at += 1
        return read(self._lines[self._at]) if self._at < len(self._lines) else None

    def choice(self, seat: Seat, menu: Sequence[Action]) -> tuple[int, int]:
        """Return (item, entry) of a seat's next choice."""
        entry = self._next()
        if isinstance(entry, Chose) and entry.seat == seat and (action := action_in(self._game, entry)) in menu:
            return menu.index(action), entry.seq
        raise NoFork(f"entry {self._at} is no choice of seat {seat} from its menu; `ftk verify` says what is wrong")

    def check(self, fact: Fact) -> Fact:
        """Return a fact that follows from the rules and the seed; raise NoFork if the log holds another."""
        entry = self._next()
        if not isinstance(entry, Happened) or bytes(entry.fact) != encode(fact):
            raise NoFork(f"entry {self._at} does not follow from the seed; `ftk verify` says what is wrong")
        self.frame += 1
        return fact
