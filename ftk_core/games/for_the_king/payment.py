"""Payment of a bid one card at a time, such that every legal payment is reached in exactly one way."""

from __future__ import annotations

from functools import lru_cache

from ftk_core.game import put
from ftk_core.games.for_the_king.box import CARDS
from ftk_core.games.for_the_king.facts import Pay
from ftk_core.games.for_the_king.state import Table, sorted_cards

Counts = tuple[int, int, int]
"""Number of gold cards of each of the values 1, 2 and 3."""
NEVER = (1 << 20, 0)


def payments(table: Table) -> tuple[Pay, ...]:
    """Return the cards that can be discarded next, the mildest first (F33)."""
    assert table.lot is not None
    hand = table.hands[table.leader]
    return _any_cards(table, hand) if CARDS[table.lot].kind == "gold" else _gold_cards(table, hand)


def _any_cards(table: Table, hand: tuple[str, ...]) -> tuple[Pay, ...]:
    """Return the candidates for the next of exactly `bid` cards: in canonical order, leaving enough after it."""
    last = CARDS[table.paid[-1]].order if table.paid else -1
    left = table.bid - len(table.paid)
    behind = [card for card in sorted_cards(hand) if CARDS[card].order > last]
    return tuple(Pay(card) for card in behind[: len(behind) - left + 1])


def _gold_cards(table: Table, hand: tuple[str, ...]) -> tuple[Pay, ...]:
    """Return the candidates for the next gold card: not greater than the last, and able to complete the sum.

    A payment in descending order that stops at the bid contains no superfluous card (F16): without its last and
    smallest card it falls short. Cards of equal value are interchangeable, so only the first is offered.
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
            over_and_cards = best_with(left, value, (counts[0], counts[1], counts[2]))
            if over_and_cards != NEVER:
                ranked.append((over_and_cards, value))
    return tuple(Pay(firsts[value]) for _, value in sorted(ranked))


@lru_cache(1 << 14)
def best_with(left: int, value: int, counts: Counts) -> tuple[int, int]:
    """Return (excess gold, cards) of the best payment of `left` that begins with a card of this value."""
    if not counts[value - 1]:
        return NEVER
    rest = left - value
    if rest <= 0:
        return (-rest, 1)
    fewer = put(counts, value - 1, counts[value - 1] - 1)
    over, cards = min(best_with(rest, smaller, fewer) for smaller in range(1, value + 1))
    return NEVER if (over, cards) == NEVER else (over, cards + 1)


def is_paid(table: Table) -> bool:
    """Return whether the winner has discarded enough."""
    assert table.lot is not None
    if CARDS[table.lot].kind == "gold":
        return len(table.paid) == table.bid
    return sum(CARDS[card].value for card in table.paid) >= table.bid
