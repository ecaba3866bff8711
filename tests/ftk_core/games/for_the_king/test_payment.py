"""Paying one card at a time: F16, F33 and F-G9, against an oracle that lists every subset."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftk_core.games.for_the_king.box import CARDS
from ftk_core.games.for_the_king.facts import Pay
from ftk_core.games.for_the_king.rules import apply, decide
from ftk_core.games.for_the_king.state import Table
from tests.support.games.for_the_king.tables import CHANCE, GOLD, GOVERNMENT, auction, bids, menu, play


def hand_of(values: tuple[int, ...]) -> tuple[str, ...]:
    """Return gold cards of the given values."""
    return tuple(f"GOLD-{value}-{number:02}" for number, value in enumerate(values, 1))


def ways(table: Table) -> Iterator[tuple[str, ...]]:
    """Yield every payment the menus lead to."""
    for action in menu(table):
        assert isinstance(action, Pay)
        after = table
        facts = decide(table, 0, action, CHANCE)
        for fact in facts:
            after = apply(after, fact)
        if after.paying:
            yield from ((action.card, *rest) for rest in ways(after))
        else:
            yield (action.card,)


def owing(amount: int, values: tuple[int, ...]) -> Table:
    """Return a table at which seat 0 has to pay."""
    table, _ = play(auction(2, GOVERNMENT, {0: hand_of(values)}, favor=("GOLD-1-13",)), *bids(amount, None))
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
def test_no_card_of_a_payment_could_be_left_out(amount: int, payments: set[tuple[int, ...]]) -> None:
    """F16, F-G9."""
    found = [tuple(sorted(CARDS[card].value for card in way)) for way in ways(owing(amount, (1, 2, 3)))]
    assert set(found) == payments
    assert len(found) == len(payments), "each payment is reached in one way only"


def test_a_bid_above_all_ones_gold_is_a_default() -> None:
    """F-G9: 7 with 1, 2 and 3."""
    table = owing(7, (1, 2, 3))
    assert table.excluded[0]


@given(st.lists(st.sampled_from((1, 2, 3)), min_size=1, max_size=7).map(tuple), st.data())
def test_the_menus_lead_to_every_payment_allowed_once(values: tuple[int, ...], data: st.DataObject) -> None:
    """F16."""
    amount = data.draw(st.integers(1, sum(values)))
    found = [tuple(sorted(CARDS[card].value for card in way)) for way in ways(owing(amount, values))]
    assert set(found) == oracle(amount, values)
    assert len(found) == len(set(found))


@given(st.lists(st.sampled_from((1, 2, 3)), min_size=1, max_size=7).map(tuple), st.data())
def test_a_silent_winner_pays_with_least_over_and_then_with_fewest_cards(
    values: tuple[int, ...], data: st.DataObject
) -> None:
    """F33."""
    amount = data.draw(st.integers(1, sum(values)))
    table, paid = owing(amount, values), []
    while table.paying:
        action = menu(table)[0]
        assert isinstance(action, Pay)
        paid.append(CARDS[action.card].value)
        table, _ = play(table, action)
    assert (sum(paid), len(paid)) == min((sum(way), len(way)) for way in oracle(amount, values))


def test_any_set_of_cards_pays_for_gold_and_each_is_reached_once() -> None:
    hand = ("GOV-MILITARY-A", "GOV-DIPLOMACY-B", "GOLD-2-01", "GOV-LIVESTOCK-I")
    table, _ = play(auction(2, GOLD, {0: hand}, favor=("GOLD-1-13",)), *bids(2, None))
    found = list(ways(table))
    assert {frozenset(way) for way in found} == {frozenset(pair) for pair in combinations(hand, 2)}
    assert len(found) == 6
