"""Complete state of a table, and the kind of choice that is due."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from ftk_core.bounds import number
from ftk_core.games.for_the_king.box import CARDS, CardId, Chair

Phase = Literal["influence", "esteem", "over"]
Step = Literal["king", "place", "choose", "pay", "bid", "none"]
START_DUTY = 3
MAX_BID = 99
"""Maximum bid. It exceeds every possible payment, so that bluffs end (F14)."""
Amount = Annotated[int, number(0, MAX_BID)]


class Sale(msgspec.Struct, frozen=True):
    """Result of an auction."""

    card: CardId
    seat: Chair | None
    """Buyer; None if unsold."""
    price: Amount


class Dealing(msgspec.Struct, frozen=True):
    """Public change of a hand. The card is omitted if only its seat knows it."""

    seat: int
    what: Literal["kept", "gained", "coin", "lost", "short"]
    """Kept face down, gained openly, paid as a coin, lost face down, or found unable to pay."""
    card: str | None = None
    """The gained card."""
    number: int = 0
    """Value of the coin; or the bid that could not be paid in gold, 0 for a bid payable in cards."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Complete state, including secrets."""

    seats: int
    duties: tuple[int, ...]
    """Primary Duties by office, 1 to 6."""
    hands: tuple[tuple[str, ...], ...]
    """By seat: cards kept, taken and bought."""
    known: tuple[tuple[str, ...], ...]
    """By seat: cards that entered the hand openly and have not left it openly."""
    favored: tuple[tuple[str, ...], ...]
    """By seat: cards it placed on the Favor deck."""
    lost: tuple[tuple[str, ...], ...]
    """By seat: cards it discarded face down."""
    phase: Phase = "influence"
    deck: tuple[str, ...] = ()
    """Top card first."""
    removed: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    """Face up: gold paid, unsold cards, used Kings."""
    coins: tuple[str, ...] = ()
    """Discards whose value is public but not which of the equal cards they are."""
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
    """Top card first."""
    king: str | None = None
    """King card that awaits its decree."""
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
    sales: tuple[Sale, ...] = ()
    paid: tuple[str, ...] = ()
    """Cards that the winner has discarded for the current card."""
    dealings: tuple[Dealing, ...] = ()
    """Every change of a hand, in order."""
    primaries: tuple[int | None, ...] = ()
    secondaries: tuple[int | None, ...] = ()


def next_seat(table: Table, seat: int) -> int:
    """Return the seat to the left."""
    return (seat + 1) % table.seats


def distributed(table: Table) -> bool:
    """Return whether the Adviser has filled all three areas."""
    return table.kept and table.stashed and table.shown == table.seats - 1


def chooser(table: Table) -> int:
    """Return the opponent whose turn it is to take from the middle."""
    return (table.adviser + table.seats - len(table.middle)) % table.seats


def step(table: Table) -> Step:
    """Return the kind of choice that is due; "none" if an automatic fact follows or the game is over."""
    if table.king is not None:
        return "king"
    if table.drawn is not None:
        return "place"
    if table.phase == "influence":
        return "choose" if table.middle and distributed(table) else "none"
    if table.paying:
        return "pay"
    return "none" if table.lot is None or auction_over(table) else "bid"


def auction_over(table: Table) -> bool:
    """Return whether everybody has passed, or the last one holds the standing bid (F12)."""
    bidder = table.bidder  # the turn returns to a seat that leads or is out only when nobody else is left
    return bidder == table.leader if table.leader >= 0 else table.passed[bidder] or table.excluded[bidder]


def solvent(table: Table) -> bool:
    """Return whether the leader can pay the standing bid (F15)."""
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
    """Return cards in canonical order."""
    return tuple(sorted(cards, key=lambda card: CARDS[card].order))


def to_act(table: Table) -> tuple[int, ...]:
    """Return the one seat that must choose; empty if no choice is due."""
    return who_does(table, step(table))


def who_does(table: Table, kind: Step) -> tuple[int, ...]:
    """Return the one seat that must make a choice of this kind."""
    match kind:
        case "bid":
            return (table.bidder,)
        case "king":
            return (table.king_seat,)
        case "place":
            return (table.adviser,)
        case "choose":
            return (chooser(table),)
        case "pay":
            return (table.leader,)
        case "none":
            return ()
