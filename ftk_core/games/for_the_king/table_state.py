"""Complete state of a match of For the King (and Me)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from ftk_core.field_bounds import number
from ftk_core.games.for_the_king.cards import CARDS, CardId, SeatNumber

Phase = Literal["influence", "esteem", "over"]
Step = Literal["king", "place", "choose", "pay", "bid", "none"]
START_DUTY = 3
MAX_BID = 99
"""Maximum bid. It exceeds every possible payment, and it ends auctions in which nobody stops raising (F14)."""
Amount = Annotated[int, number(0, MAX_BID)]


class AuctionResult(msgspec.Struct, frozen=True):
    """Auctioned card with its buyer and price."""

    card: CardId
    seat: SeatNumber | None
    """Buyer; None if unsold."""
    price: Amount


class HandChange(msgspec.Struct, frozen=True):
    """Change of a hand, with only the details that all players saw."""

    seat: int
    what: Literal["kept", "gained", "coin", "lost", "short"]
    """Card kept face down, card gained openly, gold card paid, card lost face down, or a bid that could not be paid."""
    card: str | None = None
    """The card that was gained; None for other changes."""
    number: int = 0
    """Value of a gold card that was paid, or a bid in gold that could not be paid; 0 for all other changes."""


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Complete state of the table, including secrets."""

    seats: int
    duties: tuple[int, ...]
    """Primary Duties by office, 1 to 6."""
    hands: tuple[tuple[str, ...], ...]
    """By seat: cards kept, taken and bought."""
    known: tuple[tuple[str, ...], ...]
    """By seat: cards that entered the hand in view of all and have not left it in view of all."""
    favored: tuple[tuple[str, ...], ...]
    """By seat: cards it placed on the Favor deck."""
    lost: tuple[tuple[str, ...], ...]
    """By seat: cards it discarded face down."""
    phase: Phase = "influence"
    deck: tuple[str, ...] = ()
    """Deck, top card first."""
    removed: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    """Discarded cards that lie face up: paid gold, unsold cards and used King cards."""
    coins: tuple[str, ...] = ()
    """Paid gold cards among the discards. Their value is public, but not which of the equal cards they are."""
    adviser: int = 0
    drawn: str | None = None
    kept: bool = False
    """True if the Adviser has kept a card this turn."""
    stashed: bool = False
    """True if the Adviser has placed a card on the Favor deck this turn."""
    shown: int = 0
    """Number of cards that the Adviser has placed in the middle this turn."""
    middle: tuple[str, ...] = ()
    favor: tuple[str, ...] = ()
    """Favor deck (cards to be auctioned in the second phase), top card first."""
    king: str | None = None
    """King card that `king_seat` must use now."""
    king_seat: int = 0
    first: int = 0
    """Seat that opens the bidding."""
    lots: int = 0
    """Number of Favor cards revealed so far."""
    lot: str | None = None
    """Card in the current auction."""
    bid: int = 0
    leader: int = -1
    """Seat with the standing bid; -1 before the first bid."""
    bidder: int = 0
    passed: tuple[bool, ...] = ()
    excluded: tuple[bool, ...] = ()
    paying: bool = False
    sales: tuple[AuctionResult, ...] = ()
    paid: tuple[str, ...] = ()
    """Cards that the winner has discarded so far to pay for the current card."""
    dealings: tuple[HandChange, ...] = ()
    """All changes of hands so far, in order."""
    primaries: tuple[int | None, ...] = ()
    secondaries: tuple[int | None, ...] = ()


def next_seat(table: TableState, seat: int) -> int:
    """Return the seat to the left of a seat."""
    return (seat + 1) % table.seats


def is_distributed(table: TableState) -> bool:
    """Return True if the player with the deck has placed all cards of this turn."""
    # These are one card for the own hand, one for a later auction, and one for each opponent.
    return table.kept and table.stashed and table.shown == table.seats - 1


def next_chooser(table: TableState) -> int:
    """Return the opponent who takes the next of the face-up cards."""
    return (table.adviser + table.seats - len(table.middle)) % table.seats


def step(table: TableState) -> Step:
    """Return the kind of choice that a player must make next.

    It is "none" if the next event needs no choice, or if the game is over.
    """
    if table.king is not None:
        return "king"
    if table.drawn is not None:
        return "place"
    if table.phase == "influence":
        return "choose" if table.middle and is_distributed(table) else "none"
    if table.paying:
        return "pay"
    return "none" if table.lot is None or is_auction_over(table) else "bid"


def is_auction_over(table: TableState) -> bool:
    """Return True if nobody can raise the bid any more."""
    bidder = table.bidder  # the turn returns to a seat that leads or is out only when nobody else is left
    return bidder == table.leader if table.leader >= 0 else table.passed[bidder] or table.excluded[bidder]


def is_solvent(table: TableState) -> bool:
    """Return whether the seat with the highest bid can pay it."""
    assert table.lot is not None
    hand = table.hands[table.leader]
    if CARDS[table.lot].kind == "gold":
        return len(hand) >= table.bid
    return gold_in(hand) >= table.bid


def gold_in(cards: tuple[str, ...]) -> int:
    """Return the total value of the gold cards."""
    return sum(CARDS[card].value for card in cards if card[2] == "L")  # GOLD-..., faster than a lookup


@lru_cache(1024)
def sorted_cards(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards in the order in which `CARDS` lists them."""
    return tuple(sorted(cards, key=lambda card: CARDS[card].order))


def to_act(table: TableState) -> tuple[int, ...]:
    """Return the one seat that must choose, as a tuple; empty if no choice is due."""
    return seat_with_step(table, step(table))


def seat_with_step(table: TableState, kind: Step) -> tuple[int, ...]:
    """Return the one seat that must make this kind of choice, as a tuple; return an empty tuple for "none"."""
    match kind:
        case "bid":
            return (table.bidder,)
        case "king":
            return (table.king_seat,)
        case "place":
            return (table.adviser,)
        case "choose":
            return (next_chooser(table),)
        case "pay":
            return (table.leader,)
        case "none":
            return ()
