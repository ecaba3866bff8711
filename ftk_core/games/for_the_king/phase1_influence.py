"""Rules of the first phase, which deals out the cards."""
# Each `apply_` function returns the new state after an event of one kind. Each `_menu` function returns the legal
# actions.

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
    """Add a card to one player's pile, and return the piles of all players."""
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
    """Return an action for each area that can take the drawn card: middle, Favor deck or hand.

    `shown`, `stashed` and `kept` are True if the middle, the Favor deck or the hand is full for this turn.
    """
    # The first place is used if the player does not answer.
    open_areas = ((IN_MIDDLE, shown), (IN_FAVOR, stashed), (IN_HAND, kept))
    return tuple(place for place, full in open_areas if not full)


def place_menu(table: TableState) -> tuple[PlaceAction, ...]:
    """Return the legal actions for the drawn card: one for each area that can take another card this turn."""
    return list_open_places(table.shown == table.seats - 1, table.stashed, table.kept)


def take_menu(table: TableState) -> tuple[TakeAction, ...]:
    """Return the face-up cards that a player may take, in the order they were placed."""
    return tuple(TakeAction(card) for card in table.middle)


def place_fact(
    table: TableState, action: PlaceAction
) -> CardKept | CardShown | CardAddedToFavorDeck | KingCardRevealed:
    """Return the event that records the place of the drawn card."""
    card, seat = table.drawn, table.adviser
    assert card is not None
    if action is IN_HAND or action == IN_HAND:
        return KingCardRevealed(seat, card) if CARDS[card].king else CardKept(seat, card)
    return CardShown(seat, card) if action == IN_MIDDLE else CardAddedToFavorDeck(seat, card)


def apply_deck_shuffled(table: TableState, fact: DeckShuffled) -> TableState:
    """Store the order of the deck, and the cards removed before play."""
    return replace(table, deck=fact.deck or (), removed=fact.removed or ())


def apply_deck_passed(table: TableState, fact: DeckPassed) -> TableState:
    """Start the turn of the player who now distributes cards."""
    return replace(table, adviser=fact.seat, kept=False, stashed=False, shown=0)


def apply_card_drawn(table: TableState, fact: CardDrawn) -> TableState:
    """Draw the top card of the deck."""
    return replace(table, drawn=fact.card, deck=table.deck[1:])


def apply_card_kept(table: TableState, fact: CardKept) -> TableState:
    """Move the drawn card to the hand of the player who drew it."""
    assert fact.card is not None
    hands, dealings = add_card(table.hands, fact.seat, fact.card), (*table.dealings, HandChange(fact.seat, "kept"))
    return replace(table, drawn=None, kept=True, hands=hands, dealings=dealings)


def apply_card_shown(table: TableState, fact: CardShown) -> TableState:
    """Lay the drawn card face up on the table."""
    return replace(table, drawn=None, shown=table.shown + 1, middle=(*table.middle, fact.card))


def apply_card_favored(table: TableState, fact: CardAddedToFavorDeck) -> TableState:
    """Set the drawn card aside, face down, for a later auction."""
    # The player who set it aside may look at it later.
    assert fact.card is not None
    favored = add_card(table.favored, fact.seat, fact.card)
    return replace(table, drawn=None, stashed=True, favor=(fact.card, *table.favor), favored=favored)


def apply_king_revealed(table: TableState, fact: KingCardRevealed) -> TableState:
    """Reveal the King card that a player kept."""
    # The player must use it before the next draw.
    return replace(table, drawn=None, kept=True, king=fact.card, king_seat=fact.seat)


def apply_card_taken(table: TableState, fact: CardTaken) -> TableState:
    """Move a face-up card from the table to a player's hand."""
    # A King card does not enter the hand: the player must use it at once.
    middle = remove_card(table.middle, fact.card)
    if CARDS[fact.card].king:
        return replace(table, middle=middle, king=fact.card, king_seat=fact.seat)
    return gain_card(replace(table, middle=middle), fact.seat, fact.card)
