"""The moves of a finished match: each choice with the table before it, and all that followed."""

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
    """One choice, or the one item of a menu, as it took effect.

    Seats that choose at the same time are taken in the order of the log: what one chose is known at the table of the
    next, whose own choice is still to come.
    """

    seat: Seat
    seats: int
    """At the table."""
    menu: tuple[Action, ...]
    chosen: int
    """Into the menu."""
    entry: int | None
    """The number of the choice's entry in the log; None where nobody was asked."""
    before: Any
    """The state that it took effect in."""
    after: Any
    """When all that followed had happened."""
    facts: tuple[Fact, ...]
    """Its own first, then what followed."""
    frame: int
    """The number of the first fact's frame."""

    @property
    def until(self) -> int:
        """The number of the last fact's frame."""
        return self.frame + len(self.facts) - 1


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match from its bare table to its end."""

    game: Any
    opened: Opened
    bare: Any
    """The table before the deal."""
    dealt: Any
    """The table after it."""
    dealt_at: int
    """The number of the last frame of the deal; 0 where there is nothing to deal."""
    moves: tuple[Move, ...]
    places: tuple[int, ...]
    """By seat."""
    seed: bytes


def moves_of(lines: Sequence[bytes]) -> Moves:
    """Read a log; raises NoFork for one that is not finished, not of the newest rules or not sound; UnknownGame."""
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
    """What a log says, in order."""

    def __init__(self, game: AnyGame, lines: Sequence[bytes]) -> None:
        self._game, self._lines, self._at = game, lines, 0
        self.frame = 0

    def _next(self) -> Any:
        self._at += 1
        return read(self._lines[self._at]) if self._at < len(self._lines) else None

    def choice(self, seat: Seat, menu: Sequence[Action]) -> tuple[int, int]:
        """Return (item, entry) of a seat's choice."""
        entry = self._next()
        if isinstance(entry, Chose) and entry.seat == seat and (action := action_in(self._game, entry)) in menu:
            return menu.index(action), entry.seq
        raise NoFork(f"entry {self._at} is no choice of seat {seat} from its menu; `ftk verify` says what is wrong")

    def check(self, fact: Fact) -> Fact:
        """Return a fact that the rules and the seed say; raises NoFork where the log says something else."""
        entry = self._next()
        if not isinstance(entry, Happened) or bytes(entry.fact) != encode(fact):
            raise NoFork(f"entry {self._at} does not follow from the seed; `ftk verify` says what is wrong")
        self.frame += 1
        return fact
