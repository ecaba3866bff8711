"""Rules of payment for the winner of an auction, who pays card by card."""
# The cards of a payment have a fixed order. Otherwise the menus would offer the same payment in many orders.

from __future__ import annotations

from functools import lru_cache

from ftk_core.game import replace_at
from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.facts import PayAction
from ftk_core.games.for_the_king.table_state import TableState, sorted_cards

Counts = tuple[int, int, int]
"""Number of gold cards of each of the values 1, 2 and 3."""
IMPOSSIBLE_PAYMENT = (1 << 20, 0)


def list_next_payments(table: TableState) -> tuple[PayAction, ...]:
    """Return the cards with which the winner of an auction can pay next."""
    # The referee plays the first one for a player who does not answer.
    assert table.lot is not None
    hand = table.hands[table.leader]
    return _any_cards(table, hand) if CARDS[table.lot].kind == "gold" else _gold_cards(table, hand)


def _any_cards(table: TableState, hand: tuple[str, ...]) -> tuple[PayAction, ...]:
    """Return the cards of any kind that can be paid next for a gold card."""
    # Cards are paid in the order of `CARDS`. A card is left out if too few cards of the hand follow it.
    last = CARDS[table.paid[-1]].order if table.paid else -1
    left = table.bid - len(table.paid)
    behind = [card for card in sorted_cards(hand) if CARDS[card].order > last]
    return tuple(PayAction(card) for card in behind[: len(behind) - left + 1])


def _gold_cards(table: TableState, hand: tuple[str, ...]) -> tuple[PayAction, ...]:
    """Return the gold cards that can be paid next, sorted by the best payment that begins with each card.

    The best payment has the least excess gold. If the excess is equal, it has the fewest cards.
    """
    # A card is never worth more than the one paid before it, so no card of a payment is superfluous (F16 in RULES.md).
    # Of cards with equal value, which look alike, only the first is offered.
    firsts: dict[int, str] = {}
    counts = [0, 0, 0]
    for card in sorted_cards(hand):
        value = CARDS[card].value
        if CARDS[card].kind == "gold":
            firsts.setdefault(value, card)
            counts[value - 1] += 1
    left = table.bid - sum(CARDS[card].value for card in table.paid)
    ceiling = CARDS[table.paid[-1]].value if table.paid else 3
    ranked = []
    for value in range(1, ceiling + 1):
        if value in firsts:
            over_and_cards = best_payment_with(left, value, (counts[0], counts[1], counts[2]))
            if over_and_cards != IMPOSSIBLE_PAYMENT:
                ranked.append((over_and_cards, value))
    return tuple(PayAction(firsts[value]) for _, value in sorted(ranked))


@lru_cache(1 << 14)
def best_payment_with(left: int, value: int, counts: Counts) -> tuple[int, int]:
    """Return the best payment of at least `left` gold that begins with a card of this value.

    The best payment has the least excess gold. If the excess is equal, it has the fewest cards. Returns (excess gold,
    number of cards), or `IMPOSSIBLE_PAYMENT`. `counts` is the number of gold cards by value.
    """
    if not counts[value - 1]:
        return IMPOSSIBLE_PAYMENT
    remaining = left - value
    if remaining <= 0:
        return (-remaining, 1)
    fewer = replace_at(counts, value - 1, counts[value - 1] - 1)
    over, cards = min(best_payment_with(remaining, smaller, fewer) for smaller in range(1, value + 1))
    return IMPOSSIBLE_PAYMENT if (over, cards) == IMPOSSIBLE_PAYMENT else (over, cards + 1)


def is_paid(table: TableState) -> bool:
    """Return whether the winner of the auction has discarded enough cards."""
    assert table.lot is not None
    if CARDS[table.lot].kind == "gold":
        return len(table.paid) == table.bid
    return sum(CARDS[card].value for card in table.paid) >= table.bid
