"""The composition of the box (F-G1) and the changes of duties (F-G6)."""

from __future__ import annotations

from collections import Counter

import pytest

from ftk_core.games.for_the_king.cards import BOX, CARDS, REMOVED_CARD_COUNTS, cards_for, offices_for, secondary_duty
from ftk_core.games.for_the_king.table_state import TableState
from tests.support.games.for_the_king.tables import deal_table

COMPOSITION = {
    # players: offices, government, gold of each value, kings, total, removed, deck
    2: (5, 45, 9, 10, 82, 22, 60),
    3: (5, 45, 10, 10, 85, 13, 72),
    4: (5, 45, 11, 10, 88, 8, 80),
    5: (6, 54, 13, 15, 108, 0, 108),
}


@pytest.mark.parametrize(("seats", "figures"), COMPOSITION.items())
def test_the_deck_for_each_player_count_has_the_composition_printed_in_the_rules(
    seats: int, figures: tuple[int, ...]
) -> None:
    offices, government, gold, kings, total, removed, deck = figures
    cards = [CARDS[card] for card in cards_for(seats)]
    count = Counter(card.kind for card in cards)
    assert len(offices_for(seats)) == offices
    assert (count["government"], count["gold"], count["king"]) == (government, 3 * gold, kings)
    assert Counter(card.value for card in cards if card.kind == "gold") == dict.fromkeys((1, 2, 3), gold)
    kinds = Counter(card.king for card in cards)
    assert [kinds[king] for king in ("P", "M", "PP", "MM")] == [kings // 5] * 4
    assert len(cards) == total
    assert REMOVED_CARD_COUNTS[seats] == removed
    assert total - removed == deck
    assert deck % (seats + 1) == 0, "the last Adviser never gets a short turn"


def all_cards(table: TableState) -> list[str]:
    """Return every card on the table and in the box."""
    drawn = [table.drawn] if table.drawn else []
    return [
        *table.deck,
        *table.removed,
        *table.middle,
        *table.favor,
        *drawn,
        *(c for hand in table.hands for c in hand),
    ]


@pytest.mark.parametrize("seats", COMPOSITION)
def test_dealing_puts_each_card_in_exactly_one_place(seats: int) -> None:
    table = deal_table(seats)
    assert sorted(all_cards(table)) == sorted(cards_for(seats))
    assert len(table.removed) == REMOVED_CARD_COUNTS[seats]


def test_the_game_contains_54_government_15_king_and_39_gold_cards() -> None:
    assert Counter(card.kind for card in BOX) == {"government": 54, "king": 15, "gold": 39}
    assert len(CARDS) == 108


def test_each_office_has_nine_cards_with_the_letters_a_to_i_and_one_of_two_value_distributions() -> None:
    for office in range(6):
        cards = [card for card in BOX if card.office == office]
        assert "".join(card.letter for card in cards) == "ABCDEFGHI"
        assert Counter(card.value for card in cards) in ({2: 4, 3: 3, 4: 2}, {1: 7, 2: 2})
        assert [card.value for card in cards] == sorted(card.value for card in cards)


@pytest.mark.parametrize(("primary", "half"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_a_secondary_tile_has_half_the_primary_value_rounded_down_or_zero_in_a_two_player_game(
    primary: int, half: int
) -> None:
    """F6, F-G6."""
    assert [secondary_duty(primary, seats) for seats in (2, 3, 4, 5)] == [0, half, half, half]
