"""Complete state of a table, all of it public."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ftk_core.bounds import bag, number, row
from ftk_core.game import StandardOptions
from ftk_core.games.to_court_the_king.box import (
    CHARACTERS,
    CHARLATAN,
    DICE,
    FOOL,
    MAX_ROUNDS,
    MOST_SEATS,
    START_DICE,
    Best,
    Chair,
    Dice,
    Name,
    display_for,
)

Step = Literal["window", "aim", "acquire", "final", "none"]

BY_SEAT = row(MOST_SEATS)
Names = Annotated[tuple[Name, ...], bag(1)]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Complete state."""

    seats: Annotated[int, number(2, MOST_SEATS)]
    display: Annotated[tuple[tuple[Name, Annotated[int, number(0, 4)]], ...], row(len(CHARACTERS))]
    """(character, copies left)."""
    cards: Annotated[tuple[Names, ...], BY_SEAT]
    """By seat: characters, including a Fool; Charlatans are counted separately."""
    charlatans: Annotated[tuple[Annotated[int, number(0, MAX_ROUNDS // 2)], ...], BY_SEAT]
    """By seat: number of Charlatans; each took two rounds, as a Fool and turned over."""
    round: Annotated[int, number(0, MAX_ROUNDS + 1)] = 0
    start: Chair = 0
    """Start player of the round."""
    order: Annotated[tuple[Chair, ...], BY_SEAT] = ()
    """Seats that have yet to take a turn in this round, next seat first."""
    final: bool = False
    over: bool = False
    rolling: bool = False
    """True if the seat's turn has begun and some of its dice can still change."""
    active: Dice = ()
    aside: Dice = ()
    used: Names = ()
    """Characters used this turn."""
    using: Name | None = None
    """Character in use that needs a target."""
    rolls: Annotated[int, number(0, DICE)] = 0
    """Number of rolls this turn; a die is set aside between two rolls."""
    may_roll: bool = False
    """True if a die was set aside since the last roll."""
    result: Dice | None = None
    """Dice result, while a character may be acquired for it."""
    king: Chair | None = None
    """Seat that holds the King card."""
    queen: Chair | None = None
    """Seat that holds the Queen."""
    best: Best = (0, 0)
    """(count, value) of the best result: the claim, then the best of the final round."""
    claim: Best = (0, 0)
    """(count, value) of the result that claimed the King."""
    finals: Annotated[tuple[Best | None, ...], BY_SEAT] = ()
    """By seat: result of the final round; None before it and for seats that conceded."""
    rolled: Annotated[tuple[Chair, ...], BY_SEAT] = ()
    """Seats in the order in which they rolled in the final round."""
    winner: Chair | None = None


def bare(seats: int, _options: StandardOptions) -> Table:
    """Return a table before the first round."""
    return Table(seats=seats, display=display_for(seats), cards=((),) * seats, charlatans=(0,) * seats)


def step(table: Table) -> Step:
    """Return the kind of choice that is due."""
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
    """Return the one seat that must choose; empty if none."""
    return () if step(table) == "none" else (table.order[0],)


def dice_of(table: Table, seat: int) -> int:
    """Return the number of dice a seat begins its turn with (T2, T3)."""
    cards = table.cards[seat]
    more = ("FARMER" in cards) + 2 * ("GENERAL" in cards) + table.charlatans[seat]
    return min(DICE, START_DICE + more)


def in_display(table: Table, card: str) -> int:
    """Return the number of copies of a character left in the display."""
    return dict(table.display).get(card, 0)


def holds(table: Table, seat: int, card: str) -> bool:
    """Return whether a seat has a character."""
    return table.charlatans[seat] > 0 if card == CHARLATAN else card in table.cards[seat]


def may_take(table: Table, seat: int, card: str) -> bool:
    """Return whether a seat's own cards and the display allow it to take a character (T1, T13, T14)."""
    if card == FOOL:
        return FOOL not in table.cards[seat]
    if card == CHARLATAN:
        return FOOL in table.cards[seat]
    return card not in table.cards[seat] and in_display(table, card) > 0
