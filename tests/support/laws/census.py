"""By game: everything that must always be somewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ftk_core.games.for_the_king.state import Table
from ftk_core.games.kings_court.state import Table as KingsTable
from ftk_core.games.to_court_the_king.state import Table as Court


def for_the_king(table: Table) -> list[str]:
    """Return every card, wherever it is; none before the deal."""
    single = [card for card in (table.drawn, table.king, table.lot) if card]
    piles = [*table.hands, *table.lost]
    return [*table.deck, *table.removed, *table.middle, *table.favor, *table.discards, *single, *sum(piles, ())]


def pig(table: Any) -> list[str]:
    """Return the die: there is nothing else in the box."""
    return ["die"]


def to_court_the_king(table: Court) -> list[str]:
    """Return every character but the Fools, of which there is no end."""
    piles = [name for name, left in table.display for _ in range(left)]
    held = [card for cards in table.cards for card in cards if card != "FOOL"]
    claimed = ["KING"] if table.queen is not None else []
    return [*piles, *held, *claimed]


def kings_court(table: KingsTable) -> list[str]:
    """Return every diamond and every card, wherever it is."""
    takes = [take for take in table.takes if take]
    diamonds = (table.hidden or 0) + table.box.diamonds + sum(take.diamonds for take in takes)
    cards = [*table.box.cards, *(take.card for take in takes if take.card)]
    dismissed = [table.dismissed] if table.dismissed else []
    cards += ["fake diamond"] * (table.box.fake + sum(take.fake for take in takes))
    return ["diamond"] * diamonds + cards + dismissed


CENSUS: dict[str, Callable[[Any], list[str]]] = {
    "for_the_king": for_the_king,
    "kings_court": kings_court,
    "pig": pig,
    "to_court_the_king": to_court_the_king,
}
