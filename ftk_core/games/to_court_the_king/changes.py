"""Effect of each fact on the table."""

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.game import put
from ftk_core.games.to_court_the_king.box import CHARACTERS, CHARLATAN, FOOL, KING
from ftk_core.games.to_court_the_king.dice import add, take
from ftk_core.games.to_court_the_king.facts import (
    CardAcquired,
    CardUsed,
    Conceded,
    DiceChanged,
    DiceRolled,
    DiceSetAside,
    FinalBegan,
    FinalRolled,
    KingClaimed,
    NothingAcquired,
    RollingEnded,
    RoundBegan,
)
from ftk_core.games.to_court_the_king.state import Table


def round_began(table: Table, fact: RoundBegan) -> Table:
    """Start a round: everybody takes a turn, clockwise from the start player."""
    order = tuple((fact.seat + step) % table.seats for step in range(table.seats))
    return replace(table, round=fact.round, start=fact.seat, order=order)


def final_began(table: Table, fact: FinalBegan) -> Table:
    """Start the final round: everybody rolls once more, the Queen's holder last (T18)."""
    seats = [(fact.seat + step) % table.seats for step in range(table.seats)]
    order = [seat for seat in seats if seat != table.queen] + [seat for seat in seats if seat == table.queen]
    finals = (None,) * table.seats
    return replace(table, round=fact.round, final=True, order=tuple(order), finals=finals)


def dice_rolled(table: Table, fact: DiceRolled) -> Table:
    """Set the active dice; at least one must be set aside before the next roll."""
    active = tuple(sorted(fact.faces))
    return replace(table, rolling=True, active=active, rolls=table.rolls + 1, may_roll=False)


def card_used(table: Table, fact: CardUsed) -> Table:
    """Turn a character for this turn; its target is the next choice."""
    return replace(table, used=(*table.used, fact.card), using=fact.card)


def dice_changed(table: Table, fact: DiceChanged) -> Table:
    """Change active dice, or add one; this neither requires nor replaces setting one aside (T7)."""
    return replace(table, active=add(take(table.active, fact.before), fact.after), using=None)


def dice_set_aside(table: Table, fact: DiceSetAside) -> Table:
    """Set dice aside."""
    return replace(table, active=take(table.active, fact.faces), aside=add(table.aside, fact.faces), may_roll=True)


def rolling_ended(table: Table, fact: RollingEnded) -> Table:
    """Record the dice result."""
    return replace(table, result=fact.faces)


def _turn_over(table: Table) -> Table:
    """End the turn: return the dice, refresh the characters, and continue with the next seat."""
    return replace(
        table,
        order=table.order[1:],
        rolling=False,
        active=(),
        aside=(),
        used=(),
        using=None,
        rolls=0,
        may_roll=False,
        result=None,
    )


def card_acquired(table: Table, fact: CardAcquired) -> Table:
    """Give a character to a seat; a Charlatan is a Fool turned over (T1)."""
    seat, card = fact.seat, fact.card
    held = [name for name in table.cards[seat] if name != FOOL or card != CHARLATAN]
    charlatans = table.charlatans
    if card == CHARLATAN:
        charlatans = put(charlatans, seat, charlatans[seat] + 1)
    else:
        held.append(card)
    display = tuple((name, left - (name == card)) for name, left in table.display)
    cards = put(table.cards, seat, tuple(sorted(held, key=_rank)))
    return _turn_over(replace(table, cards=cards, charlatans=charlatans, display=display))


def _rank(card: str) -> int:
    return list(CHARACTERS).index(card) if card in CHARACTERS else -1


def nothing_acquired(table: Table, _fact: NothingAcquired) -> Table:
    """End the turn."""
    return _turn_over(table)


def king_claimed(table: Table, fact: KingClaimed) -> Table:
    """Give King and Queen to the seat, record the result to beat (T16), and end the turn."""
    record = (fact.count, fact.value)
    display = tuple((name, left - (name == KING)) for name, left in table.display)
    return _turn_over(replace(table, king=fact.seat, queen=fact.seat, claim=record, best=record, display=display))


def final_rolled(table: Table, fact: FinalRolled) -> Table:
    """Record a final result; the seat in the lead holds the King card."""
    finals = put(table.finals, fact.seat, (fact.count, fact.value))
    table = _turn_over(replace(table, finals=finals, rolled=(*table.rolled, fact.seat)))
    return replace(table, king=fact.seat, best=(fact.count, fact.value)) if fact.ahead else table


def conceded(table: Table, _fact: Conceded) -> Table:
    """End the turn."""
    return _turn_over(table)
