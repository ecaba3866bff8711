"""Fingers: a game for tests in which all seats choose at the same time."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ftk_core.facts import Action, Fact, SecretField
from ftk_core.game import Game, MatchResult
from ftk_core.views.scene import TableScene

ROUNDS = 3


class Throw(Action, frozen=True):
    """Choice of a number of fingers."""

    fingers: int


class Thrown(Fact, frozen=True, tag="fingers_thrown"):
    """Choice that a seat has made; only the seat knows the number."""

    seat: int
    fingers: Annotated[int | None, SecretField("seat")]


class Table(msgspec.Struct, frozen=True):
    """Number of seats, and the pairs (seat, fingers) chosen so far."""

    seats: int
    thrown: tuple[tuple[int, int], ...] = ()


def turn(table: Table) -> tuple[int, ...]:
    return tuple(range(table.seats)) if len(table.thrown) < ROUNDS * table.seats else ()


def view(table: Table, _viewer: int) -> Table:
    return table


def apply(table: Table, fact: Thrown) -> Table:
    return Table(table.seats, (*table.thrown, (fact.seat, fact.fingers or 0)))


def legal(table: Table, seat: int) -> tuple[Throw, ...]:
    return tuple(Throw(number) for number in range(len(table.thrown) + 2))


FINGERS: Game[Table, Throw, Thrown, Table] = Game(
    name="fingers",
    title="Fingers",
    version=1,
    seats=range(2, 4),
    actions=Throw,
    facts=Thrown,
    setup=lambda seats, options: Table(seats),
    deal=lambda table, chance: (),
    turn=turn,
    legal=legal,
    decide=lambda table, seat, action, chance: (Thrown(seat, action.fingers),),
    apply=apply,
    view=view,
    scene=lambda table: TableScene(()),
    result=lambda table: MatchResult((1,) * table.seats, (0,) * table.seats),
    say=lambda fact, names, language: "",
)
