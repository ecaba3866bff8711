"""Tables to begin a test from, and steps through them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Action, Fact
from ftk_core.game import StandardOptions
from ftk_core.games.to_court_the_king.facts import DiceRolled
from ftk_core.games.to_court_the_king.rules import GAME, apply, decide, legal
from ftk_core.games.to_court_the_king.state import Table, bare, to_act
from ftk_core.rng import Chance, seed_of

CHANCE = Chance(seed_of("court"))


def begun(seats: int = 2) -> Table:
    """Return a table at which seat 0 has rolled for the first time."""
    table = bare(seats, StandardOptions())
    for fact in GAME.deal(table, CHANCE):
        table = apply(table, fact)
    return table


def court(active: tuple[int, ...] = (), aside: tuple[int, ...] = (), *cards: str, **more: Any) -> Table:
    """Return a table at which seat 0 has these dice and characters in its turn."""
    table = begun(more.pop("seats", 2))
    held = (cards, *table.cards[1:])
    dice = {"active": tuple(sorted(active)), "aside": tuple(sorted(aside)), "may_roll": bool(aside)}
    return replace(table, cards=held, **{**dice, **more})


def menu(table: Table) -> tuple[Action, ...]:
    """Return the menu of the seat to act."""
    return legal(table, to_act(table)[0])


def play(table: Table, *actions: Action) -> tuple[Table, list[Fact]]:
    """Return the table after the seats to act have chosen the actions one by one, and all facts."""
    facts: list[Fact] = []
    for action in actions:
        (seat,) = to_act(table)
        for fact in decide(table, seat, action, CHANCE):
            facts.append(fact)
            table = apply(table, fact)
    return table, facts


def showing(table: Table, *faces: int) -> Table:
    """Return the table as if the seat to act had rolled these faces."""
    return apply(table, DiceRolled(table.order[0], faces, opening=False))
