"""Complete state of a table of To Court the King, all of which is public."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ftk_core.field_bounds import bag, number, row
from ftk_core.game import NoGameOptions
from ftk_core.games.to_court_the_king.characters import (
    CHARACTERS,
    CHARLATAN,
    DICE,
    FOOL,
    MAX_ROUNDS,
    MAX_SEATS,
    START_DICE,
    BestSet,
    Dice,
    Name,
    SeatNumber,
    display_for,
)

Step = Literal["window", "aim", "acquire", "final", "none"]

BY_SEAT = row(MAX_SEATS)
Names = Annotated[tuple[Name, ...], bag(1)]


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Complete state of the table."""

    seats: Annotated[int, number(2, MAX_SEATS)]
    display: Annotated[tuple[tuple[Name, Annotated[int, number(0, 4)]], ...], row(len(CHARACTERS))]
    """Characters on offer, as (character, copies left) pairs."""
    cards: Annotated[tuple[Names, ...], BY_SEAT]
    """By seat: its characters, including a Fool; Charlatans are counted separately."""
    charlatans: Annotated[tuple[Annotated[int, number(0, MAX_ROUNDS // 2)], ...], BY_SEAT]
    """By seat: number of Charlatans. Each takes two rounds to acquire: first a Fool, which is then turned over."""
    round: Annotated[int, number(0, MAX_ROUNDS + 1)] = 0
    start: SeatNumber = 0
    """Start player of the round."""
    order: Annotated[tuple[SeatNumber, ...], BY_SEAT] = ()
    """Seats that have yet to take a turn in this round, next seat first."""
    final: bool = False
    over: bool = False
    rolling: bool = False
    """True from the first roll of a turn until the turn ends."""
    active: Dice = ()
    aside: Dice = ()
    used: Names = ()
    """Characters used this turn."""
    using: Name | None = None
    """Character in use that needs a target."""
    rolls: Annotated[int, number(0, DICE)] = 0
    """Number of rolls this turn, at most one for each die: at least one die is set aside between two rolls."""
    may_roll: bool = False
    """True if a die was set aside since the last roll."""
    result: Dice | None = None
    """Dice result of the turn, while the seat may acquire a character for it."""
    king: SeatNumber | None = None
    """Seat that holds the King card."""
    queen: SeatNumber | None = None
    """Seat that holds the Queen."""
    best: BestSet = (0, 0)
    """(count, value) of the best result so far: that of the King's claim, later the best of the final round."""
    claim: BestSet = (0, 0)
    """(count, value) of the equal dice that claimed the King."""
    finals: Annotated[tuple[BestSet | None, ...], BY_SEAT] = ()
    """By seat: result of the final round; None before it and for seats that conceded."""
    rolled: Annotated[tuple[SeatNumber, ...], BY_SEAT] = ()
    """Seats in the order in which they rolled in the final round."""
    winner: SeatNumber | None = None


def new_table(seats: int, _options: NoGameOptions) -> TableState:
    """Return the table before the first round."""
    return TableState(seats=seats, display=display_for(seats), cards=((),) * seats, charlatans=(0,) * seats)


def step(table: TableState) -> Step:
    """Return the kind of choice that a player must make next.

    It is "none" if the next event needs no choice, or if the game is over.
    """
    if table.over or not table.order:
        return "none"
    if table.result is not None:
        return "none" if table.final else "acquire"
    if table.using is not None:
        return "aim"
    if table.rolling:
        return "window"
    return "final" if table.final else "none"


def to_act(table: TableState) -> tuple[int, ...]:
    """Return the one seat that must choose, as a tuple; empty if no choice is due."""
    return () if step(table) == "none" else (table.order[0],)


def dice_of(table: TableState, seat: int) -> int:
    """Return the number of dice with which a seat begins its turn, which depends on its characters."""
    cards = table.cards[seat]
    more = ("FARMER" in cards) + 2 * ("GENERAL" in cards) + table.charlatans[seat]
    return min(DICE, START_DICE + more)


def copies_in_display(table: TableState, card: str) -> int:
    """Return the number of copies of a character that are still on offer (in the display)."""
    return dict(table.display).get(card, 0)


def holds(table: TableState, seat: int, card: str) -> bool:
    """Return whether a seat holds a character."""
    return table.charlatans[seat] > 0 if card == CHARLATAN else card in table.cards[seat]


def may_take(table: TableState, seat: int, card: str) -> bool:
    """Return True if a player may take a character that the dice pay for."""
    # Copies of the Fool never run out. The Charlatan is the other side of a Fool, and a player can hold several.
    if card == FOOL:
        return FOOL not in table.cards[seat]
    if card == CHARLATAN:
        return FOOL in table.cards[seat]
    return card not in table.cards[seat] and copies_in_display(table, card) > 0
