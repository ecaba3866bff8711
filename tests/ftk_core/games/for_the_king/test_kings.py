"""The effects of King cards: F1-F6 and F33."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ftk_core.games.for_the_king.cards import OFFICES
from ftk_core.games.for_the_king.facts import DecreeAction, PlaceAction
from ftk_core.games.for_the_king.king_cards import list_decrees
from ftk_core.games.for_the_king.player_view import view
from tests.support.games.for_the_king.tables import deal_table, list_fact_names, list_menu, play

EVEN = (3, 3, 3, 3, 3)
LOW, HIGH = (1,) * 5, (6,) * 5


def test_king_cards_neither_raise_a_duty_tile_above_6_nor_lower_a_duty_tile_below_1() -> None:
    """F1."""
    assert list_decrees("P", (6, 3, 6, 6, 6)) == (DecreeAction(up=("entertainment",)),)
    assert list_decrees("M", (1, 1, 1, 1, 2)) == (DecreeAction(down=("military",)),)


def test_the_menu_after_a_king_card_contains_no_option_to_decline() -> None:
    """F2: the menu holds decrees only."""
    table, _ = play(replace(deal_table(4), drawn="KING-PP-1"), PlaceAction("self"))
    assert {type(action) for action in list_menu(table)} == {DecreeAction}
    assert DecreeAction() not in list_menu(table)


def test_a_king_card_that_cannot_take_full_effect_is_applied_as_far_as_possible() -> None:
    """F3: it changes one tile if only one is left. If none is left, it has no effect and is discarded."""
    assert list_decrees("PP", (6, 6, 6, 6, 5)) == (DecreeAction(up=("military",)),)
    assert list_decrees("MM", (1, 4, 1, 1, 1)) == (DecreeAction(down=("entertainment",)),)
    table = replace(deal_table(4), drawn="KING-PP-1", duties=HIGH)
    table, facts = play(table, PlaceAction("self"))
    assert list_fact_names(facts) == ["KingCardRevealed", "KingCardDiscardedWithoutEffect", "CardDrawn"]
    assert "KING-PP-1" in table.discards


def test_a_mixed_king_card_raises_one_duty_tile_and_then_lowers_another() -> None:
    """F4."""
    assert len(list_decrees("MIX", EVEN)) == 20
    assert all(d.up != d.down for d in list_decrees("MIX", EVEN))
    assert list_decrees("MIX", HIGH) == tuple(DecreeAction(down=(office,)) for office in OFFICES[:5])
    assert list_decrees("MIX", LOW) == tuple(DecreeAction(up=(office,)) for office in OFFICES[:5])
    assert DecreeAction(("diplomacy",), ()) in list_decrees("MIX", (2, 1, 1, 1, 1)), (
        "the only tile that could fall was raised"
    )
    mixed = DecreeAction(("livestock",), ("military",))
    table, _ = play(replace(deal_table(4), drawn="KING-MIX-1"), PlaceAction("self"), mixed)
    assert table.duties == (3, 3, 4, 3, 2)


def test_a_plus_or_minus_king_card_may_raise_or_lower_a_duty_tile() -> None:
    """F5."""
    assert len(list_decrees("PM", EVEN)) == 10
    assert list_decrees("PM", (1, 1, 1, 1, 6)) == (
        *(DecreeAction(up=(office,)) for office in OFFICES[:4]),
        DecreeAction(down=("military",)),
    )


def test_king_cards_change_primary_tiles_only_and_secondary_tiles_are_derived_from_them() -> None:
    """F6."""
    table, _ = play(replace(deal_table(4), drawn="KING-P-1"), PlaceAction("self"), DecreeAction(up=("livestock",)))
    assert table.duties == (3, 3, 4, 3, 3)
    assert [duty.secondary for duty in view(table, 0).duties] == [1, 1, 2, 1, 1]


@pytest.mark.parametrize(("king", "count"), [("P", 5), ("M", 5), ("PM", 10), ("PP", 10), ("MM", 10), ("MIX", 20)])
def test_the_first_option_after_a_king_card_changes_the_duty_of_the_first_office(king: Any, count: int) -> None:
    """F33."""
    found = list_decrees(king, EVEN)
    assert len(found) == len(set(found)) == count
    assert "diplomacy" in found[0].up + found[0].down
