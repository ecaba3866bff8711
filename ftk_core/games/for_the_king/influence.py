"""Phase 1, Share Influence: the effect of each fact, and the possible choices."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ftk_core.game import put
from ftk_core.games.for_the_king.box import CARDS
from ftk_core.games.for_the_king.facts import (
    CardDrawn,
    CardFavored,
    CardKept,
    CardShown,
    CardTaken,
    DeckPassed,
    DeckShuffled,
    KingRevealed,
    Place,
    Take,
)
from ftk_core.games.for_the_king.state import Dealing, Table

IN_MIDDLE, IN_FAVOR, KEPT = Place("middle"), Place("favor"), Place("self")


def with_card(piles: tuple[tuple[str, ...], ...], seat: int, card: str) -> tuple[tuple[str, ...], ...]:
    """Return the piles with a card added to one seat's pile."""
    return put(piles, seat, (*piles[seat], card))


def gained(table: Table, seat: int, card: str) -> Table:
    """Return the table after a card entered a hand openly."""
    hands, known = with_card(table.hands, seat, card), with_card(table.known, seat, card)
    return replace(table, hands=hands, known=known, dealings=(*table.dealings, Dealing(seat, "gained", card)))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return the cards without one of them."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


@cache
def places(shown: bool, stashed: bool, kept: bool) -> tuple[Place, ...]:
    """Return the open areas, the mildest first (F33), given which are full."""
    open_areas = ((IN_MIDDLE, shown), (IN_FAVOR, stashed), (KEPT, kept))
    return tuple(place for place, full in open_areas if not full)


def place_menu(table: Table) -> tuple[Place, ...]:
    """Return the areas for the drawn card."""
    return places(table.shown == table.seats - 1, table.stashed, table.kept)


def take_menu(table: Table) -> tuple[Take, ...]:
    """Return the cards in the middle, in the order in which they were placed."""
    return tuple(Take(card) for card in table.middle)


def place_fact(table: Table, action: Place) -> CardKept | CardShown | CardFavored | KingRevealed:
    """Return the fact of placing the drawn card."""
    card, seat = table.drawn, table.adviser
    assert card is not None
    if action is KEPT or action == KEPT:
        return KingRevealed(seat, card) if CARDS[card].king else CardKept(seat, card)
    return CardShown(seat, card) if action == IN_MIDDLE else CardFavored(seat, card)


def deck_shuffled(table: Table, fact: DeckShuffled) -> Table:
    """Set the deck up."""
    return replace(table, deck=fact.deck or (), removed=fact.removed or ())


def deck_passed(table: Table, fact: DeckPassed) -> Table:
    """Start the next Adviser's turn."""
    return replace(table, adviser=fact.seat, kept=False, stashed=False, shown=0)


def card_drawn(table: Table, fact: CardDrawn) -> Table:
    """Take the top card in hand."""
    return replace(table, drawn=fact.card, deck=table.deck[1:])


def card_kept(table: Table, fact: CardKept) -> Table:
    """Use the Adviser's own area for the card."""
    assert fact.card is not None
    hands, dealings = with_card(table.hands, fact.seat, fact.card), (*table.dealings, Dealing(fact.seat, "kept"))
    return replace(table, drawn=None, kept=True, hands=hands, dealings=dealings)


def card_shown(table: Table, fact: CardShown) -> Table:
    """Place a card in the middle."""
    return replace(table, drawn=None, shown=table.shown + 1, middle=(*table.middle, fact.card))


def card_favored(table: Table, fact: CardFavored) -> Table:
    """Place a card on the Favor deck. Its owner remembers it (F9)."""
    assert fact.card is not None
    favored = with_card(table.favored, fact.seat, fact.card)
    return replace(table, drawn=None, stashed=True, favor=(fact.card, *table.favor), favored=favored)


def king_revealed(table: Table, fact: KingRevealed) -> Table:
    """Use the Adviser's own area for a King, which then awaits its decree (F7)."""
    return replace(table, drawn=None, kept=True, king=fact.card, king_seat=fact.seat)


def card_taken(table: Table, fact: CardTaken) -> Table:
    """Move a card from the middle to a hand; a King awaits its decree instead."""
    middle = without(table.middle, fact.card)
    if CARDS[fact.card].king:
        return replace(table, middle=middle, king=fact.card, king_seat=fact.seat)
    return gained(replace(table, middle=middle), fact.seat, fact.card)
