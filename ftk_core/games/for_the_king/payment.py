"""Rules of payment for the winner of an auction, who pays one card at a time.

The cards of a payment must be paid in a fixed order. Otherwise the menus would offer the same payment in many orders.
"""

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
    """Return the cards with which the winner of an auction can pay next.

    The referee plays the first one for a player who does not answer.
    """
    assert table.lot is not None
    hand = table.hands[table.leader]
    return _any_cards(table, hand) if CARDS[table.lot].kind == "gold" else _gold_cards(table, hand)


def _any_cards(table: TableState, hand: tuple[str, ...]) -> tuple[PayAction, ...]:
    """Return the cards that can be paid next if the price is `bid` cards of any kind.

    The cards of a payment must be paid in the order of `CARDS`. The menu leaves out a card if too few cards of the hand
    follow it in this order to complete the payment.
    """
    last = CARDS[table.paid[-1]].order if table.paid else -1
    left = table.bid - len(table.paid)
    behind = [card for card in sorted_cards(hand) if CARDS[card].order > last]
    return tuple(PayAction(card) for card in behind[: len(behind) - left + 1])


def _gold_cards(table: TableState, hand: tuple[str, ...]) -> tuple[PayAction, ...]:
    """Return the gold cards that can be paid next, the best payment first.

    The next card is never worth more than the last one paid, and the payment ends as soon as it reaches the bid.
    Therefore no card in a payment is superfluous (F16 in RULES.md). The menu leaves out a card if the payment could not
    be completed after it. Of cards with equal value it only offers the first, because they look alike.
    """
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
    """Return the best way to pay `left` gold with a first card of this value, as (excess gold, number of cards).

    The excess is the gold paid beyond `left`. The best payment has the least excess and, in a tie, the fewest cards.
    `counts` is the number of gold cards in hand of each value. Return `IMPOSSIBLE_PAYMENT` if they do not suffice.
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
