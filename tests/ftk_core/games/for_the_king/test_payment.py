"""Payments one card at a time (F16, F33, F-G9), against an oracle that lists every subset."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.facts import PayAction
from ftk_core.games.for_the_king.rules import apply, decide
from ftk_core.games.for_the_king.table_state import TableState
from tests.support.games.for_the_king.tables import CHANCE, GOLD, GOVERNMENT, build_auction, build_bids, list_menu, play


def hand_of(values: tuple[int, ...]) -> tuple[str, ...]:
    """Return gold cards of the given values."""
    return tuple(f"GOLD-{value}-{number:02}" for number, value in enumerate(values, 1))


def ways(table: TableState) -> Iterator[tuple[str, ...]]:
    """Yield every payment the menus lead to."""
    for action in list_menu(table):
        assert isinstance(action, PayAction)
        after = table
        facts = decide(table, 0, action, CHANCE)
        for fact in facts:
            after = apply(after, fact)
        if after.paying:
            yield from ((action.card, *rest) for rest in ways(after))
        else:
            yield (action.card,)


def owing(amount: int, values: tuple[int, ...]) -> TableState:
    """Return a table at which seat 0 has to pay."""
    table, _ = play(build_auction(2, GOVERNMENT, {0: hand_of(values)}, favor=("GOLD-1-13",)), *build_bids(amount, None))
    return table


def oracle(amount: int, values: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return the payments that F16 allows, as multisets of values, by looking at every subset."""
    return {
        tuple(sorted(subset))
        for size in range(1, len(values) + 1)
        for subset in combinations(values, size)
        if sum(subset) >= amount and all(sum(subset) - value < amount for value in subset)
    }


@pytest.mark.parametrize(
    ("amount", "payments"),
    [(3, {(3,), (1, 2)}), (4, {(1, 3), (2, 3)}), (6, {(1, 2, 3)})],
)
def test_no_payment_on_the_menu_contains_a_card_that_is_not_needed(amount: int, payments: set[tuple[int, ...]]) -> None:
    """F16, F-G9."""
    found = [tuple(sorted(CARDS[card].value for card in way)) for way in ways(owing(amount, (1, 2, 3)))]
    assert set(found) == payments
    assert len(found) == len(payments), "each payment is reached in one way only"


def test_a_winning_bid_above_the_bidders_total_gold_cannot_be_paid() -> None:
    """F-G9: a bid of 7 with gold cards of 1, 2 and 3."""
    table = owing(7, (1, 2, 3))
    assert table.excluded[0]


@pytest.mark.slow
@given(st.lists(st.sampled_from((1, 2, 3)), min_size=1, max_size=7).map(tuple), st.data())
def test_the_payment_menus_allow_every_legal_payment_exactly_once(values: tuple[int, ...], data: st.DataObject) -> None:
    """F16."""
    amount = data.draw(st.integers(1, sum(values)))
    found = [tuple(sorted(CARDS[card].value for card in way)) for way in ways(owing(amount, values))]
    assert set(found) == oracle(amount, values)
    assert len(found) == len(set(found))


@pytest.mark.slow
@given(st.lists(st.sampled_from((1, 2, 3)), min_size=1, max_size=7).map(tuple), st.data())
def test_the_default_payment_of_an_auction_winner_overpays_least_and_uses_the_fewest_cards(
    values: tuple[int, ...], data: st.DataObject
) -> None:
    """F33."""
    amount = data.draw(st.integers(1, sum(values)))
    table, paid = owing(amount, values), []
    while table.paying:
        action = list_menu(table)[0]
        assert isinstance(action, PayAction)
        paid.append(CARDS[action.card].value)
        table, _ = play(table, action)
    assert (sum(paid), len(paid)) == min((sum(way), len(way)) for way in oracle(amount, values))


def test_the_menus_for_paying_for_gold_offer_each_pair_of_cards_exactly_once() -> None:
    hand = ("GOV-MILITARY-A", "GOV-DIPLOMACY-B", "GOLD-2-01", "GOV-LIVESTOCK-I")
    table, _ = play(build_auction(2, GOLD, {0: hand}, favor=("GOLD-1-13",)), *build_bids(2, None))
    found = list(ways(table))
    assert {frozenset(way) for way in found} == {frozenset(pair) for pair in combinations(hand, 2)}
    assert len(found) == 6
