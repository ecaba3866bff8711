"""Functions that return the new state after an event, one for each kind of event."""

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.game import replace_at
from ftk_core.games.to_court_the_king.characters import CHARACTERS, CHARLATAN, FOOL, KING
from ftk_core.games.to_court_the_king.dice_effects import add_dice, remove_dice
from ftk_core.games.to_court_the_king.facts import (
    CharacterAcquired,
    CharacterUsed,
    DiceChanged,
    DiceRolled,
    DiceSetAside,
    FinalRoundBegan,
    FinalRoundConceded,
    FinalRoundTurnFinished,
    KingClaimed,
    NoCharacterAcquired,
    RollingEnded,
    RoundBegan,
)
from ftk_core.games.to_court_the_king.table_state import TableState


def apply_round_began(table: TableState, fact: RoundBegan) -> TableState:
    """Start a round: every seat takes a turn, clockwise from the start player."""
    order = tuple((fact.seat + step) % table.seats for step in range(table.seats))
    return replace(table, round=fact.round, start=fact.seat, order=order)


def apply_final_began(table: TableState, fact: FinalRoundBegan) -> TableState:
    """Start the final round, in which the holder of the Queen has the last turn."""
    seats = [(fact.seat + step) % table.seats for step in range(table.seats)]
    order = [seat for seat in seats if seat != table.queen] + [seat for seat in seats if seat == table.queen]
    finals = (None,) * table.seats
    return replace(table, round=fact.round, final=True, order=tuple(order), finals=finals)


def apply_dice_rolled(table: TableState, fact: DiceRolled) -> TableState:
    """Replace the dice that are not set aside by the rolled dice."""
    # At least one must be set aside before the next roll.
    active = tuple(sorted(fact.faces))
    return replace(table, rolling=True, active=active, rolls=table.rolls + 1, may_roll=False)


def apply_card_used(table: TableState, fact: CharacterUsed) -> TableState:
    """Mark a character as used in this turn."""
    # If it needs a target, the player chooses that next.
    return replace(table, used=(*table.used, fact.card), using=fact.card)


def apply_dice_changed(table: TableState, fact: DiceChanged) -> TableState:
    """Change some of the dice, or add one."""
    # This does not count as setting a die aside, which a player must do between two rolls.
    return replace(table, active=add_dice(remove_dice(table.active, fact.before), fact.after), using=None)


def apply_dice_set_aside(table: TableState, fact: DiceSetAside) -> TableState:
    """Move active dice to the dice that are set aside until the turn ends."""
    return replace(
        table, active=remove_dice(table.active, fact.faces), aside=add_dice(table.aside, fact.faces), may_roll=True
    )


def apply_rolling_ended(table: TableState, fact: RollingEnded) -> TableState:
    """Record the dice result of a turn."""
    # It pays for a character or, in the final round, counts as the player's result.
    return replace(table, result=fact.faces)


def _end_turn(table: TableState) -> TableState:
    """End the turn: clear the dice, make all characters usable again, and continue with the next seat."""
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


def apply_card_acquired(table: TableState, fact: CharacterAcquired) -> TableState:
    """Give a character to a player."""
    # A Charlatan replaces the Fool, because it is the same card turned over.
    seat, card = fact.seat, fact.card
    own_cards = [name for name in table.cards[seat] if name != FOOL or card != CHARLATAN]
    charlatans = table.charlatans
    if card == CHARLATAN:
        charlatans = replace_at(charlatans, seat, charlatans[seat] + 1)
    else:
        own_cards.append(card)
    display = tuple((name, left - (name == card)) for name, left in table.display)
    cards = replace_at(table.cards, seat, tuple(sorted(own_cards, key=_rank)))
    return _end_turn(replace(table, cards=cards, charlatans=charlatans, display=display))


def _rank(card: str) -> int:
    return list(CHARACTERS).index(card) if card in CHARACTERS else -1


def apply_nothing_acquired(table: TableState, _fact: NoCharacterAcquired) -> TableState:
    """End the turn without a new character."""
    return _end_turn(table)


def apply_king_claimed(table: TableState, fact: KingClaimed) -> TableState:
    """Give the King and the Queen to a player, and record the result to beat."""
    record = (fact.count, fact.value)
    display = tuple((name, left - (name == KING)) for name, left in table.display)
    return _end_turn(replace(table, king=fact.seat, queen=fact.seat, claim=record, best=record, display=display))


def apply_final_rolled(table: TableState, fact: FinalRoundTurnFinished) -> TableState:
    """Record a player's result in the final round. The leader receives the King."""
    finals = replace_at(table.finals, fact.seat, (fact.count, fact.value))
    table = _end_turn(replace(table, finals=finals, rolled=(*table.rolled, fact.seat)))
    return replace(table, king=fact.seat, best=(fact.count, fact.value)) if fact.ahead else table


def apply_conceded(table: TableState, _fact: FinalRoundConceded) -> TableState:
    """End the turn of a seat that conceded the final round."""
    return _end_turn(table)
