"""Seats that choose at the same time: every menu is fixed first, and nobody learns another's answer."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ftk_core.facts import Action, Fact, SeenBy
from ftk_core.game import Game, Result
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import Answer, Ask, Quiet
from ftk_core.referee import play, rerun
from ftk_core.rng import seed_of
from ftk_core.scene import Scene

ROUNDS = 3


class Throw(Action, frozen=True):
    """Stretch out some fingers."""

    fingers: int


class Thrown(Fact, frozen=True):
    """A hand was closed over some fingers."""

    seat: int
    fingers: Annotated[int | None, SeenBy("seat")]


class Table(msgspec.Struct, frozen=True):
    """Who has thrown what, in order."""

    seats: int
    thrown: tuple[tuple[int, int], ...] = ()


def turn(table: Table) -> tuple[int, ...]:
    return tuple(range(table.seats)) if len(table.thrown) < ROUNDS * table.seats else ()


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
    view=lambda table, viewer: table,
    scene=lambda table: Scene(()),
    result=lambda table: Result((1,) * table.seats, (0,) * table.seats),
    say=lambda fact, names, language: "",
)


class Listener(Quiet):
    """Remembers all it was sent, and always answers with the last item."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.menus: list[int] = []
        self.views: list[Table] = []
        self.news: list[tuple[Fact, ...]] = []

    def choose(self, ask: Ask) -> Answer:
        self.menus.append(len(ask.menu))
        self.views.append(ask.view)
        self.news.append(ask.news)
        return Answer(len(ask.menu) - 1)


def listen(seats: int) -> tuple[list[Listener], list[bytes]]:
    players, log = [Listener(f"Seat {seat}") for seat in range(seats)], MemoryLog()
    play(FINGERS, players, seed_of("fingers"), log=log)
    return players, list(lines_of(log))


def test_all_menus_and_views_of_a_turn_are_the_same_whoever_is_asked_first() -> None:
    players, _ = listen(3)
    assert [player.menus for player in players] == [[2, 5, 8]] * 3
    assert players[0].views == players[1].views == players[2].views


def test_the_news_tell_that_the_others_chose_and_not_what() -> None:
    players, _ = listen(3)
    assert players[1].news[0] == ()
    assert players[1].news[1] == (Thrown(0, None), Thrown(1, 1), Thrown(2, None))


def test_choices_of_one_turn_stand_together_in_the_log_and_rerun() -> None:
    _, lines = listen(2)
    kinds = [msgspec.json.decode(line)["kind"] for line in lines]
    assert kinds == ["opened", *["chose", "chose", "happened", "happened"] * ROUNDS, "closed"]
    assert rerun(FINGERS, lines).places == (1, 1)
