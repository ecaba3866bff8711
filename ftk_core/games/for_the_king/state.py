"""Everything there is to know about a table, and what is due next."""

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
"""Above every possible payment, so that bluffs end (F14)."""
Amount = Annotated[int, number(0, MAX_BID)]


class Sale(msgspec.Struct, frozen=True):
    """How an auction ended."""

    card: CardId
    seat: Chair | None
    """Who bought it; None for nobody."""
    price: Amount


class Dealing(msgspec.Struct, frozen=True):
    """One change of a hand as all saw it: which card it was is not said where only its seat knows."""

    seat: int
    what: Literal["kept", "gained", "coin", "lost", "short"]
    """Kept face down, gained openly, paid as a coin, lost face down, or found unable to pay."""
    card: str | None = None
    """What was gained."""
    number: int = 0
    """The value of the coin; the bid that more gold than there was would have paid, 0 for one in cards."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state; secrets included."""

    seats: int
    duties: tuple[int, ...]
    """The Primary Duties by office, 1 to 6."""
    hands: tuple[tuple[str, ...], ...]
    """By seat: the cards kept, taken and bought."""
    known: tuple[tuple[str, ...], ...]
    """By seat: the cards all saw going into the hand and nobody saw leaving it."""
    favored: tuple[tuple[str, ...], ...]
    """By seat: the cards it laid on the Favor deck."""
    lost: tuple[tuple[str, ...], ...]
    """By seat: the cards it discarded face down."""
    phase: Phase = "influence"
    deck: tuple[str, ...] = ()
    """Top first."""
    removed: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    """Face up: gold paid, unsold cards, used Kings."""
    coins: tuple[str, ...] = ()
    """The discards of which everybody saw the value and nobody which of its equals it was."""
    adviser: int = 0
    drawn: str | None = None
    kept: bool = False
    """Whether the Adviser has kept a card this turn."""
    stashed: bool = False
    """Whether the Adviser has laid a card on the Favor deck this turn."""
    shown: int = 0
    """How many cards the Adviser has laid into the middle this turn."""
    middle: tuple[str, ...] = ()
    favor: tuple[str, ...] = ()
    """Top first."""
    king: str | None = None
    """The King card to be resolved."""
    king_seat: int = 0
    first: int = 0
    """The seat that opens the bidding."""
    lots: int = 0
    """How many Favor cards have been revealed."""
    lot: str | None = None
    """The card that is bid for."""
    bid: int = 0
    leader: int = -1
    """The seat that holds the standing bid; -1 while there is none."""
    bidder: int = 0
    passed: tuple[bool, ...] = ()
    excluded: tuple[bool, ...] = ()
    paying: bool = False
    sales: tuple[Sale, ...] = ()
    paid: tuple[str, ...] = ()
    """What the winner has discarded for this card so far."""
    dealings: tuple[Dealing, ...] = ()
    """Every change of a hand, in order."""
    primaries: tuple[int | None, ...] = ()
    secondaries: tuple[int | None, ...] = ()


def next_seat(table: Table, seat: int) -> int:
    """Return the seat to the left."""
    return (seat + 1) % table.seats


def distributed(table: Table) -> bool:
    """Tell whether the Adviser has filled all three areas."""
    return table.kept and table.stashed and table.shown == table.seats - 1


def chooser(table: Table) -> int:
    """Return the opponent whose turn it is to take from the middle."""
    return (table.adviser + table.seats - len(table.middle)) % table.seats


def step(table: Table) -> Step:
    """Return what kind of choice is due; "none" while something follows by itself or all is over."""
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
    """Tell whether all have passed, or the one left holds the standing bid (F12)."""
    bidder = table.bidder  # the turn comes back to a seat that leads, or is out, only when nobody else is left
    return bidder == table.leader if table.leader >= 0 else table.passed[bidder] or table.excluded[bidder]


def solvent(table: Table) -> bool:
    """Tell whether the leader can pay the standing bid (F15)."""
    assert table.lot is not None
    hand = table.hands[table.leader]
    if CARDS[table.lot].kind == "gold":
        return len(hand) >= table.bid
    return gold_in(hand) >= table.bid


def gold_in(cards: tuple[str, ...]) -> int:
    """Return the sum of the gold cards."""
    return sum(CARDS[card].value for card in cards if card[2] == "L")  # GOLD-..., quicker than a look-up


@lru_cache(1024)
def sorted_cards(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return cards in canonical order."""
    return tuple(sorted(cards, key=lambda card: CARDS[card].order))


def to_act(table: Table) -> tuple[int, ...]:
    """Return the one seat that owes a choice, or nobody while none is due."""
    return who_does(table, step(table))


def who_does(table: Table, kind: Step) -> tuple[int, ...]:
    """Return the one seat that owes a choice of that kind."""
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
