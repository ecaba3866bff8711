"""Rules of the second phase, the auctions of the cards that were set aside."""
# Each `apply_` function returns the new state after an event of one kind.

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.game import replace_at
from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.facts import (
    AuctionWon,
    BidAction,
    BidderDefaulted,
    BidderPassed,
    BidMade,
    CardDiscarded,
    DutiesAwarded,
    FavorCardRevealed,
    FavorCardTaken,
    FavorCardUnsold,
    FavorDeckShuffled,
    GoldCardPaid,
    LeaveAuctionAction,
    LegacyGoldCardPaid,
)
from ftk_core.games.for_the_king.phase1_influence import add_card, gain_card, remove_card
from ftk_core.games.for_the_king.table_state import MAX_BID, AuctionResult, HandChange, TableState, next_seat

PASS = LeaveAuctionAction()
BIDS = tuple(BidAction(amount) for amount in range(1, MAX_BID + 1))
BID_MENUS: tuple[tuple[LeaveAuctionAction | BidAction, ...], ...] = tuple(
    (PASS, *BIDS[bid:]) for bid in range(MAX_BID + 1)
)
"""Standing bid -> menu: pass, or any higher bid."""


def apply_favor_shuffled(table: TableState, fact: FavorDeckShuffled) -> TableState:
    """Start the second phase, which auctions the shuffled Favor deck."""
    return replace(table, phase="esteem", favor=fact.favor or (), first=fact.first)


def apply_favor_revealed(table: TableState, fact: FavorCardRevealed) -> TableState:
    """Open the auction of the top card of the Favor deck."""
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


def apply_bid_made(table: TableState, fact: BidMade) -> TableState:
    """Record a higher bid, and pass the turn to the next bidder."""
    bidder = _next_bidder(table, fact.seat, table.passed)
    return replace(table, bid=fact.amount, leader=fact.seat, bidder=bidder)


def apply_passed(table: TableState, fact: BidderPassed) -> TableState:
    """Remove a seat that passed from the current auction."""
    seat = fact.seat
    passed = replace_at(table.passed, seat, value=True)
    return replace(table, passed=passed, bidder=_next_bidder(table, seat, passed))


def _next_bidder(table: TableState, seat: int, passed: tuple[bool, ...]) -> int:
    """Return the next player to the left who is still in the auction."""
    for step in range(1, table.seats + 1):
        other = (seat + step) % table.seats
        if not (passed[other] or table.excluded[other]):
            return other
    return seat


def apply_auction_won(table: TableState, _fact: AuctionWon) -> TableState:
    """Begin the payment: the seat with the highest bid must now discard cards for it."""
    return replace(table, paying=True)


def _remove_from_hand(
    table: TableState, seat: int, card: str
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """Remove a card from a hand. Return all hands, and `table.known` unchanged."""
    # The caller removes the card from `known` (cards of each hand that all players know) if the others saw it leave.
    hand = remove_card(table.hands[seat], card)
    return replace_at(table.hands, seat, hand), table.known


def apply_gold_paid(table: TableState, fact: LegacyGoldCardPaid) -> TableState:
    """Discard a gold card that was paid openly (version 1 of the rules)."""
    hands, known = _remove_from_hand(table, fact.seat, fact.card)
    if fact.card in known[fact.seat]:
        known = replace_at(known, fact.seat, remove_card(known[fact.seat], fact.card))
    discards = (*table.discards, fact.card)
    return replace(table, hands=hands, known=known, discards=discards, paid=(*table.paid, fact.card))


def apply_coin_paid(table: TableState, fact: GoldCardPaid) -> TableState:
    """Discard a gold card that was paid. The other players see its value but not its id."""
    # `known` lists cards that all players saw enter this hand. Gold cards of equal value look alike, so the paid card
    # counts as one of them.
    assert fact.card is not None
    seat = fact.seat
    hands, known = _remove_from_hand(table, seat, fact.card)
    alike = [card for card in known[seat] if CARDS[card].kind == "gold" and CARDS[card].value == fact.value]
    if alike:
        known = replace_at(known, seat, remove_card(known[seat], min(alike)))
    return replace(
        table,
        hands=hands,
        known=known,
        discards=(*table.discards, fact.card),
        coins=(*table.coins, fact.card),
        paid=(*table.paid, fact.card),
        dealings=(*table.dealings, HandChange(seat, "coin", number=fact.value)),
    )


def apply_card_discarded(table: TableState, fact: CardDiscarded) -> TableState:
    """Discard a card from a hand, face down."""
    # `known` does not change, because nobody else saw which card left.
    assert fact.card is not None
    hands, _ = _remove_from_hand(table, fact.seat, fact.card)
    return replace(
        table,
        hands=hands,
        lost=add_card(table.lost, fact.seat, fact.card),
        paid=(*table.paid, fact.card),
        dealings=(*table.dealings, HandChange(fact.seat, "lost")),
    )


def apply_defaulted(table: TableState, fact: BidderDefaulted) -> TableState:
    """Exclude a winner who could not pay, and restart the auction without this player."""
    seat = fact.seat
    excluded = replace_at(table.excluded, seat, value=True)
    hands, lost = table.hands, table.lost
    in_gold = CARDS[table.lot or ""].kind != "gold"
    dealings = (*table.dealings, HandChange(seat, "short", number=fact.amount if in_gold else 0))
    if fact.card is not None:
        hands, _ = _remove_from_hand(table, seat, fact.card)
        lost, dealings = add_card(lost, seat, fact.card), (*dealings, HandChange(seat, "lost"))
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


def apply_favor_taken(table: TableState, fact: FavorCardTaken) -> TableState:
    """Give the auctioned card to the winner and end its auction."""
    # A King card does not enter the hand: the winner must use it at once.
    table = _next_lot(replace(table, sales=(*table.sales, AuctionResult(fact.card, fact.seat, table.bid))))
    if CARDS[fact.card].king:
        return replace(table, king=fact.card, king_seat=fact.seat)
    return gain_card(table, fact.seat, fact.card)


def apply_favor_unsold(table: TableState, fact: FavorCardUnsold) -> TableState:
    """Discard the unsold card face up and end the auction round."""
    sales = (*table.sales, AuctionResult(fact.card, None, 0))
    return _next_lot(replace(table, discards=(*table.discards, fact.card), sales=sales))


def _next_lot(table: TableState) -> TableState:
    """End the auction of one card, and choose the first bidder of the next."""
    first = next_seat(table, table.first)
    return replace(table, lot=None, paying=False, paid=(), bid=0, leader=-1, first=first)


def apply_council_named(table: TableState, fact: DutiesAwarded) -> TableState:
    """End the game, and store who is first and second in each office."""
    return replace(table, phase="over", primaries=fact.primaries, secondaries=fact.secondaries)
