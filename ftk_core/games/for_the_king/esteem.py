"""Phase 2, Gain Esteem: the effect of each fact, and the possible bids."""

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.game import put
from ftk_core.games.for_the_king.box import CARDS
from ftk_core.games.for_the_king.facts import (
    AuctionWon,
    Bid,
    BidMade,
    CardDiscarded,
    CoinPaid,
    CouncilNamed,
    Defaulted,
    FavorRevealed,
    FavorShuffled,
    FavorTaken,
    FavorUnsold,
    GoldPaid,
    Pass,
    Passed,
)
from ftk_core.games.for_the_king.influence import gained, with_card, without
from ftk_core.games.for_the_king.state import MAX_BID, Dealing, Sale, Table, next_seat

PASS = Pass()
BIDS = tuple(Bid(amount) for amount in range(1, MAX_BID + 1))
BID_MENUS: tuple[tuple[Pass | Bid, ...], ...] = tuple((PASS, *BIDS[bid:]) for bid in range(MAX_BID + 1))
"""By standing bid: pass, or any higher bid."""


def favor_shuffled(table: Table, fact: FavorShuffled) -> Table:
    """Start the second phase."""
    return replace(table, phase="esteem", favor=fact.favor or (), first=fact.first)


def favor_revealed(table: Table, fact: FavorRevealed) -> Table:
    """Open the auction of a card."""
    none = (False,) * table.seats
    return replace(
        table,
        lot=fact.card,
        favor=table.favor[1:],
        lots=table.lots + 1,
        bid=0,
        leader=-1,
        bidder=table.first,
        passed=none,
        excluded=none,
    )


def bid_made(table: Table, fact: BidMade) -> Table:
    """Raise the standing bid."""
    bidder = _next_bidder(table, fact.seat, table.passed)
    return replace(table, bid=fact.amount, leader=fact.seat, bidder=bidder)


def has_passed(table: Table, fact: Passed) -> Table:
    """Take a seat out of the bidding."""
    seat = fact.seat
    passed = put(table.passed, seat, value=True)
    return replace(table, passed=passed, bidder=_next_bidder(table, seat, passed))


def _next_bidder(table: Table, seat: int, passed: tuple[bool, ...]) -> int:
    """Return the next seat to the left still in the auction; the same seat if there is no other."""
    for step in range(1, table.seats + 1):
        other = (seat + step) % table.seats
        if not (passed[other] or table.excluded[other]):
            return other
    return seat


def auction_won(table: Table, _fact: AuctionWon) -> Table:
    """Make the leader pay."""
    return replace(table, paying=True)


def _drop(table: Table, seat: int, card: str) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """Return hands and known cards after a card left a hand."""
    hand = without(table.hands[seat], card)
    return put(table.hands, seat, hand), table.known


def gold_paid(table: Table, fact: GoldPaid) -> Table:
    """Move a gold card to the discards, face up."""
    hands, known = _drop(table, fact.seat, fact.card)
    if fact.card in known[fact.seat]:
        known = put(known, fact.seat, without(known[fact.seat], fact.card))
    discards = (*table.discards, fact.card)
    return replace(table, hands=hands, known=known, discards=discards, paid=(*table.paid, fact.card))


def coin_paid(table: Table, fact: CoinPaid) -> Table:
    """Move a gold card to the discards. Its identity is unknown: prefer a coin that entered the hand openly."""
    assert fact.card is not None
    seat = fact.seat
    hands, known = _drop(table, seat, fact.card)
    alike = [card for card in known[seat] if CARDS[card].kind == "gold" and CARDS[card].value == fact.value]
    if alike:
        known = put(known, seat, without(known[seat], min(alike)))
    return replace(
        table,
        hands=hands,
        known=known,
        discards=(*table.discards, fact.card),
        coins=(*table.coins, fact.card),
        paid=(*table.paid, fact.card),
        dealings=(*table.dealings, Dealing(seat, "coin", number=fact.value)),
    )


def card_discarded(table: Table, fact: CardDiscarded) -> Table:
    """Move a card out of a hand, face down. Cards known to be in the hand may still be there."""
    assert fact.card is not None
    hands, _ = _drop(table, fact.seat, fact.card)
    return replace(
        table,
        hands=hands,
        lost=with_card(table.lost, fact.seat, fact.card),
        paid=(*table.paid, fact.card),
        dealings=(*table.dealings, Dealing(fact.seat, "lost")),
    )


def defaulted(table: Table, fact: Defaulted) -> Table:
    """Exclude a winner that could not pay, and restart the auction from 1 for the others (F18)."""
    seat = fact.seat
    excluded = put(table.excluded, seat, value=True)
    hands, lost = table.hands, table.lost
    in_gold = CARDS[table.lot or ""].kind != "gold"
    dealings = (*table.dealings, Dealing(seat, "short", number=fact.amount if in_gold else 0))
    if fact.card is not None:
        hands, _ = _drop(table, seat, fact.card)
        lost, dealings = with_card(lost, seat, fact.card), (*dealings, Dealing(seat, "lost"))
    bidder = next(
        (s % table.seats for s in range(table.first, table.first + table.seats) if not excluded[s % table.seats]),
        table.first,
    )
    return replace(
        table,
        excluded=excluded,
        passed=(False,) * table.seats,
        bid=0,
        leader=-1,
        bidder=bidder,
        hands=hands,
        lost=lost,
        dealings=dealings,
    )


def favor_taken(table: Table, fact: FavorTaken) -> Table:
    """Give the card to the winner, or resolve a King, and move the first player on."""
    table = _next_lot(replace(table, sales=(*table.sales, Sale(fact.card, fact.seat, table.bid))))
    if CARDS[fact.card].king:
        return replace(table, king=fact.card, king_seat=fact.seat)
    return gained(table, fact.seat, fact.card)


def favor_unsold(table: Table, fact: FavorUnsold) -> Table:
    """Discard the card face up and move the first player on."""
    sales = (*table.sales, Sale(fact.card, None, 0))
    return _next_lot(replace(table, discards=(*table.discards, fact.card), sales=sales))


def _next_lot(table: Table) -> Table:
    """End the round: the next first player sits left of this round's, whoever won (F23)."""
    first = next_seat(table, table.first)
    return replace(table, lot=None, paying=False, paid=(), bid=0, leader=-1, first=first)


def council_named(table: Table, fact: CouncilNamed) -> Table:
    """End the game."""
    return replace(table, phase="over", primaries=fact.primaries, secondaries=fact.secondaries)
