"""Tables to begin a test from, and steps through them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Action, Fact
from ftk_core.game import StandardOptions
from ftk_core.games.for_the_king.facts import Bid, Pass
from ftk_core.games.for_the_king.rules import GAME, apply, decide, legal, setup, turn
from ftk_core.games.for_the_king.state import Table
from ftk_core.rng import Chance, seed_of

CHANCE = Chance(seed_of("rules"))
GOVERNMENT = "GOV-DIPLOMACY-A"
KING = "KING-PM-1"
GOLD = "GOLD-1-01"


def dealt(seats: int, seed: str = "rules") -> Table:
    """Return a table after the opening shuffle."""
    table = setup(seats, StandardOptions())
    for fact in GAME.deal(table, Chance(seed_of(seed))):
        table = apply(table, fact)
    return table


def auction(seats: int, lot: str = GOVERNMENT, hands: dict[int, tuple[str, ...]] | None = None, **more: Any) -> Table:
    """Return a table with a card on offer, nobody having bid, and the given hands."""
    piles = tuple((hands or {}).get(seat, ()) for seat in range(seats))
    none = (False,) * seats
    changes = {"phase": "esteem", "lot": lot, "lots": 1, "hands": piles, "passed": none, "excluded": none, **more}
    changes.setdefault("bidder", changes.get("first", 0))
    return replace(setup(seats, StandardOptions()), **changes)


def play(table: Table, *actions: Action) -> tuple[Table, list[Fact]]:
    """Return the table after the seats to act have chosen the actions one by one, and all facts."""
    facts: list[Fact] = []
    for action in actions:
        (seat,) = turn(table)
        for fact in decide(table, seat, action, CHANCE):
            facts.append(fact)
            table = apply(table, fact)
    return table, facts


def menu(table: Table) -> tuple[Action, ...]:
    """Return the menu of the seat to act."""
    (seat,) = turn(table)
    return legal(table, seat)


def bids(*amounts: int | None) -> tuple[Action, ...]:
    """Return bids, None being a pass."""
    return tuple(Pass() if amount is None else Bid(amount) for amount in amounts)


def kinds(facts: list[Fact]) -> list[str]:
    """Return the names of the facts' kinds."""
    return [type(fact).__name__ for fact in facts]
