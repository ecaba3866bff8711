"""Tables of For the King for the start of a test, and steps through them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Action, Fact
from ftk_core.game import NoGameOptions
from ftk_core.games.for_the_king.facts import BidAction, LeaveAuctionAction
from ftk_core.games.for_the_king.rules import GAME, apply, decide, legal, setup, turn
from ftk_core.games.for_the_king.table_state import TableState
from ftk_core.random_streams import MatchRandomness, seed_of

CHANCE = MatchRandomness(seed_of("rules"))
GOVERNMENT = "GOV-DIPLOMACY-A"
KING = "KING-PM-1"
GOLD = "GOLD-1-01"


def deal_table(seats: int, seed: str = "rules") -> TableState:
    """Return a table after the opening shuffle."""
    table = setup(seats, NoGameOptions())
    for fact in GAME.deal(table, MatchRandomness(seed_of(seed))):
        table = apply(table, fact)
    return table


def build_auction(
    seats: int, lot: str = GOVERNMENT, hands: dict[int, tuple[str, ...]] | None = None, **more: Any
) -> TableState:
    """Return a table with a card on offer, no bids, and the given hands."""
    piles = tuple((hands or {}).get(seat, ()) for seat in range(seats))
    none = (False,) * seats
    changes = {"phase": "esteem", "lot": lot, "lots": 1, "hands": piles, "passed": none, "excluded": none, **more}
    changes.setdefault("bidder", changes.get("first", 0))
    return replace(setup(seats, NoGameOptions()), **changes)


def play(table: TableState, *actions: Action) -> tuple[TableState, list[Fact]]:
    """Let the seats to act choose the actions one by one; return the table and all facts."""
    facts: list[Fact] = []
    for action in actions:
        (seat,) = turn(table)
        for fact in decide(table, seat, action, CHANCE):
            facts.append(fact)
            table = apply(table, fact)
    return table, facts


def list_menu(table: TableState) -> tuple[Action, ...]:
    """Return the menu of the seat to act."""
    (seat,) = turn(table)
    return legal(table, seat)


def build_bids(*amounts: int | None) -> tuple[Action, ...]:
    """Return bid actions; None is a pass."""
    return tuple(LeaveAuctionAction() if amount is None else BidAction(amount) for amount in amounts)


def list_fact_names(facts: list[Fact]) -> list[str]:
    """Return the class names of facts."""
    return [type(fact).__name__ for fact in facts]
