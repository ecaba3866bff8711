"""Tables of To Court the King for the start of a test, and steps through them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Action, Fact
from ftk_core.game import NoGameOptions
from ftk_core.games.to_court_the_king.facts import DiceRolled
from ftk_core.games.to_court_the_king.legal_actions import legal
from ftk_core.games.to_court_the_king.rules import GAME, apply, decide
from ftk_core.games.to_court_the_king.table_state import TableState, new_table, to_act
from ftk_core.random_streams import MatchRandomness, seed_of

CHANCE = MatchRandomness(seed_of("court"))


def begin_turn(seats: int = 2) -> TableState:
    """Return a table after the first roll of seat 0."""
    table = new_table(seats, NoGameOptions())
    for fact in GAME.deal(table, CHANCE):
        table = apply(table, fact)
    return table


def build_table(active: tuple[int, ...] = (), aside: tuple[int, ...] = (), *cards: str, **more: Any) -> TableState:
    """Return a table in which it is seat 0's turn with these dice and characters."""
    table = begin_turn(more.pop("seats", 2))
    held = (cards, *table.cards[1:])
    dice = {"active": tuple(sorted(active)), "aside": tuple(sorted(aside)), "may_roll": bool(aside)}
    return replace(table, cards=held, **{**dice, **more})


def list_menu(table: TableState) -> tuple[Action, ...]:
    """Return the menu of the seat to act."""
    return legal(table, to_act(table)[0])


def play(table: TableState, *actions: Action) -> tuple[TableState, list[Fact]]:
    """Let the seats to act choose the actions one by one; return the table and all facts."""
    facts: list[Fact] = []
    for action in actions:
        (seat,) = to_act(table)
        for fact in decide(table, seat, action, CHANCE):
            facts.append(fact)
            table = apply(table, fact)
    return table, facts


def set_roll(table: TableState, *faces: int) -> TableState:
    """Return the table with these faces as the roll of the seat to act."""
    return apply(table, DiceRolled(table.order[0], faces, opening=False))
