"""Rules of the first phase, Share Influence, which deals out the cards.

Each `apply_` function returns the new state of the table after an event (fact) of one kind. Each `_menu` function
returns the legal actions of the seat that must choose.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ftk_core.game import replace_at
from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.facts import (
    CardAddedToFavorDeck,
    CardDrawn,
    CardKept,
    CardShown,
    CardTaken,
    DeckPassed,
    DeckShuffled,
    KingCardRevealed,
    PlaceAction,
    TakeAction,
)
from ftk_core.games.for_the_king.table_state import HandChange, TableState

IN_MIDDLE, IN_FAVOR, IN_HAND = PlaceAction("middle"), PlaceAction("favor"), PlaceAction("self")


def add_card(piles: tuple[tuple[str, ...], ...], seat: int, card: str) -> tuple[tuple[str, ...], ...]:
    """Return the piles with a card added to the pile of `seat`. Each seat has one pile, a tuple of cards."""
    return replace_at(piles, seat, (*piles[seat], card))


def gain_card(table: TableState, seat: int, card: str) -> TableState:
    """Return the state of the table after a seat gained a card that all players saw."""
    hands, known = add_card(table.hands, seat, card), add_card(table.known, seat, card)
    return replace(table, hands=hands, known=known, dealings=(*table.dealings, HandChange(seat, "gained", card)))


def remove_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return the cards without one copy of `card`."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


@cache
def list_open_places(shown: bool, stashed: bool, kept: bool) -> tuple[PlaceAction, ...]:
    """Return the places that are not full yet: the middle, the Favor deck, and the hand of the Adviser.

    The Adviser is the seat that draws cards and distributes them. If it does not answer, the first place is used.
    """
    open_areas = ((IN_MIDDLE, shown), (IN_FAVOR, stashed), (IN_HAND, kept))
    return tuple(place for place, full in open_areas if not full)


def place_menu(table: TableState) -> tuple[PlaceAction, ...]:
    """Return the menu of places for the drawn card: those of middle, Favor deck and own hand that are not full."""
    return list_open_places(table.shown == table.seats - 1, table.stashed, table.kept)


def take_menu(table: TableState) -> tuple[TakeAction, ...]:
    """Return the menu of cards in the middle, in the order in which they were placed."""
    return tuple(TakeAction(card) for card in table.middle)


def place_fact(
    table: TableState, action: PlaceAction
) -> CardKept | CardShown | CardAddedToFavorDeck | KingCardRevealed:
    """Return the event (fact) that records where the Adviser places the drawn card."""
    card, seat = table.drawn, table.adviser
    assert card is not None
    if action is IN_HAND or action == IN_HAND:
        return KingCardRevealed(seat, card) if CARDS[card].king else CardKept(seat, card)
    return CardShown(seat, card) if action == IN_MIDDLE else CardAddedToFavorDeck(seat, card)


def apply_deck_shuffled(table: TableState, fact: DeckShuffled) -> TableState:
    """Record the order of the deck, and the cards that were removed from the game before anybody saw them."""
    return replace(table, deck=fact.deck or (), removed=fact.removed or ())


def apply_deck_passed(table: TableState, fact: DeckPassed) -> TableState:
    """Start the next Adviser's turn."""
    return replace(table, adviser=fact.seat, kept=False, stashed=False, shown=0)


def apply_card_drawn(table: TableState, fact: CardDrawn) -> TableState:
    """Take the top card from the deck. The Adviser, the seat in turn, must then choose a place for it."""
    return replace(table, drawn=fact.card, deck=table.deck[1:])


def apply_card_kept(table: TableState, fact: CardKept) -> TableState:
    """Move the drawn card to the Adviser's hand."""
    assert fact.card is not None
    hands, dealings = add_card(table.hands, fact.seat, fact.card), (*table.dealings, HandChange(fact.seat, "kept"))
    return replace(table, drawn=None, kept=True, hands=hands, dealings=dealings)


def apply_card_shown(table: TableState, fact: CardShown) -> TableState:
    """Move the drawn card to the middle."""
    return replace(table, drawn=None, shown=table.shown + 1, middle=(*table.middle, fact.card))


def apply_card_favored(table: TableState, fact: CardAddedToFavorDeck) -> TableState:
    """Move the drawn card to the Favor deck. The seat that placed it may look at it later."""
    assert fact.card is not None
    favored = add_card(table.favored, fact.seat, fact.card)
    return replace(table, drawn=None, stashed=True, favor=(fact.card, *table.favor), favored=favored)


def apply_king_revealed(table: TableState, fact: KingCardRevealed) -> TableState:
    """Record that the Adviser kept a King card, which is revealed. The Adviser must use it before the next draw."""
    return replace(table, drawn=None, kept=True, king=fact.card, king_seat=fact.seat)


def apply_card_taken(table: TableState, fact: CardTaken) -> TableState:
    """Move a card from the middle to the hand of the seat that took it.

    A King card does not enter the hand: the seat must use it at once.
    """
    middle = remove_card(table.middle, fact.card)
    if CARDS[fact.card].king:
        return replace(table, middle=middle, king=fact.card, king_seat=fact.seat)
    return gain_card(replace(table, middle=middle), fact.seat, fact.card)
