"""How playouts play For the King: by the value of single cards, quickly, and by what the seat knows."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.for_the_king.box import CARDS
from ftk_core.games.for_the_king.facts import Place
from ftk_core.games.for_the_king.state import Table, gold_in, step
from ftk_core.rng import Draw

GOOD = 3
"""A card worth so much is kept if it can be."""
AREAS = {True: ("self", "favor", "middle"), False: ("middle", "favor", "self")}
WORTH = {card.id: 1 if card.kind == "king" else card.value for card in CARDS.values()}


def quick(table: Table, seat: int, menu: Sequence[Action], _draw: Draw) -> int:
    """Return the item to choose: the dearest card, the best place for one, or one gold more while it is worth it."""
    match step(table):
        case "place":
            areas = [action.area for action in menu if isinstance(action, Place)]
            wanted = AREAS[WORTH[table.drawn or ""] >= GOOD]
            return next(areas.index(area) for area in wanted if area in areas)
        case "choose":
            middle = table.middle
            return max(range(len(middle)), key=lambda index: (WORTH[middle[index]], -index))
        case "bid":
            return _bid(table, seat)
    return 0


def _bid(table: Table, seat: int) -> int:
    lot, hand = table.lot or "", table.hands[seat]
    if table.bid >= WORTH[lot]:
        return 0
    if CARDS[lot].kind == "gold":
        return int(table.bid < min(len(hand), 1))
    return int(table.bid < gold_in(hand))
