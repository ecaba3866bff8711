"""What each fact changes."""

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
    """Let everybody take a turn, clockwise from the start player."""
    order = tuple((fact.seat + step) % table.seats for step in range(table.seats))
    return replace(table, round=fact.round, start=fact.seat, order=order)


def final_began(table: Table, fact: FinalBegan) -> Table:
    """Let everybody roll once more, the Queen's holder last (T18)."""
    seats = [(fact.seat + step) % table.seats for step in range(table.seats)]
    order = [seat for seat in seats if seat != table.queen] + [seat for seat in seats if seat == table.queen]
    finals = (None,) * table.seats
    return replace(table, round=fact.round, final=True, order=tuple(order), finals=finals)


def dice_rolled(table: Table, fact: DiceRolled) -> Table:
    """Show the active dice; after a roll at least one must be set aside before the next."""
    active = tuple(sorted(fact.faces))
    return replace(table, rolling=True, active=active, rolls=table.rolls + 1, may_roll=False)


def card_used(table: Table, fact: CardUsed) -> Table:
    """Turn a character for this turn, and wait to be told what it does."""
    return replace(table, used=(*table.used, fact.card), using=fact.card)


def dice_changed(table: Table, fact: DiceChanged) -> Table:
    """Change active dice, or bring one into play; this neither asks for nor spares setting one aside (T7)."""
    return replace(table, active=add(take(table.active, fact.before), fact.after), using=None)


def dice_set_aside(table: Table, fact: DiceSetAside) -> Table:
    """Move dice out of reach."""
    return replace(table, active=take(table.active, fact.faces), aside=add(table.aside, fact.faces), may_roll=True)


def rolling_ended(table: Table, fact: RollingEnded) -> Table:
    """Show the dice result."""
    return replace(table, result=fact.faces)


def _turn_over(table: Table) -> Table:
    """Put the dice away, turn the characters back, and pass on."""
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
    """Give a character to a seat; a Charlatan is its Fool, turned over (T1)."""
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
    """Pass on."""
    return _turn_over(table)


def king_claimed(table: Table, fact: KingClaimed) -> Table:
    """Give King and Queen to the seat, note the result that is to be beaten (T16), and pass on."""
    record = (fact.count, fact.value)
    display = tuple((name, left - (name == KING)) for name, left in table.display)
    return _turn_over(replace(table, king=fact.seat, queen=fact.seat, claim=record, best=record, display=display))


def final_rolled(table: Table, fact: FinalRolled) -> Table:
    """Note a final result; whoever is ahead holds the King card."""
    finals = put(table.finals, fact.seat, (fact.count, fact.value))
    table = _turn_over(replace(table, finals=finals, rolled=(*table.rolled, fact.seat)))
    return replace(table, king=fact.seat, best=(fact.count, fact.value)) if fact.ahead else table


def conceded(table: Table, _fact: Conceded) -> Table:
    """Pass on."""
    return _turn_over(table)
