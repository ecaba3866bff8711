"""Everything there is to know about a table; in this game everybody knows all of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from ftk_core.game import StandardOptions
from ftk_core.games.to_court_the_king.box import CHARLATAN, DICE, FOOL, START_DICE, Faces, display_for

Step = Literal["window", "aim", "acquire", "final", "none"]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state."""

    seats: int
    display: tuple[tuple[str, int], ...]
    """(character, copies left)."""
    cards: tuple[tuple[str, ...], ...]
    """By seat: characters, a Fool among them; Charlatans are counted apart."""
    charlatans: tuple[int, ...]
    """By seat."""
    round: int = 0
    start: int = 0
    """The round's start player."""
    order: tuple[int, ...] = ()
    """Who has yet to take a turn in this round, first of them next."""
    final: bool = False
    over: bool = False
    rolling: bool = False
    """Whether the seat's turn has begun and its dice are not yet all set aside for good."""
    active: Faces = ()
    aside: Faces = ()
    used: tuple[str, ...] = ()
    """Characters used this turn."""
    using: str | None = None
    """The character that has to be told what it does."""
    rolls: int = 0
    """Rolls this turn."""
    may_roll: bool = False
    """Whether a die was set aside since the last roll."""
    result: Faces | None = None
    """The dice result, while a character may be acquired for it."""
    king: int | None = None
    """Who holds the King card."""
    queen: int | None = None
    """Who holds the Queen."""
    best: tuple[int, int] = (0, 0)
    """(count, value) of the best result: the claim, then the best of the final round."""
    claim: tuple[int, int] = (0, 0)
    """(count, value) the King was claimed with."""
    finals: tuple[tuple[int, int] | None, ...] = ()
    """By seat: the result of the final round, None before it and for whoever conceded."""
    rolled: tuple[int, ...] = ()
    """The seats in the order in which they rolled in the final round."""
    winner: int | None = None


def bare(seats: int, _options: StandardOptions) -> Table:
    """Return a table before the first round."""
    return Table(seats=seats, display=display_for(seats), cards=((),) * seats, charlatans=(0,) * seats)


def step(table: Table) -> Step:
    """Return what kind of choice is due."""
    if table.over or not table.order:
        return "none"
    if table.result is not None:
        return "none" if table.final else "acquire"
    if table.using is not None:
        return "aim"
    if table.rolling:
        return "window"
    return "final" if table.final else "none"


def to_act(table: Table) -> tuple[int, ...]:
    """Return the one seat that owes a choice, or nobody."""
    return () if step(table) == "none" else (table.order[0],)


def dice_of(table: Table, seat: int) -> int:
    """Return how many dice a seat begins its turn with (T2, T3)."""
    cards = table.cards[seat]
    more = ("FARMER" in cards) + 2 * ("GENERAL" in cards) + table.charlatans[seat]
    return min(DICE, START_DICE + more)


def in_display(table: Table, card: str) -> int:
    """Return how many copies of a character are left."""
    return dict(table.display).get(card, 0)


def holds(table: Table, seat: int, card: str) -> bool:
    """Tell whether a seat has a character; several Charlatans are one answer."""
    return table.charlatans[seat] > 0 if card == CHARLATAN else card in table.cards[seat]


def may_take(table: Table, seat: int, card: str) -> bool:
    """Tell whether a seat may take a character as far as its own cards and the display go (T1, T13, T14)."""
    if card == FOOL:
        return FOOL not in table.cards[seat]
    if card == CHARLATAN:
        return FOOL in table.cards[seat]
    return card not in table.cards[seat] and in_display(table, card) > 0
