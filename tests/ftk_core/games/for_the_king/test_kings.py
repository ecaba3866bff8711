"""The King cards: F1-F6 and F33."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ftk_core.games.for_the_king.box import OFFICES
from ftk_core.games.for_the_king.facts import Decree, Place
from ftk_core.games.for_the_king.kings import decrees
from tests.support.games.for_the_king.tables import dealt, kinds, menu, play

EVEN = (3, 3, 3, 3, 3)
LOW, HIGH = (1,) * 5, (6,) * 5


def test_a_tile_at_its_bound_is_no_target() -> None:
    """F1."""
    assert decrees("P", (6, 3, 6, 6, 6)) == (Decree(up=("entertainment",)),)
    assert decrees("M", (1, 1, 1, 1, 2)) == (Decree(down=("military",)),)


def test_the_effect_is_mandatory() -> None:
    """F2: the menu holds decrees only."""
    table, _ = play(replace(dealt(4), drawn="KING-PP-1"), Place("self"))
    assert all(isinstance(action, Decree) and (action.up or action.down) for action in menu(table))


def test_as_much_is_done_as_is_possible() -> None:
    """F3: one tile if only one is left; nothing, and the card is gone, if none is."""
    assert decrees("PP", (6, 6, 6, 6, 5)) == (Decree(up=("military",)),)
    assert decrees("MM", (1, 4, 1, 1, 1)) == (Decree(down=("entertainment",)),)
    table = replace(dealt(4), drawn="KING-PP-1", duties=HIGH)
    table, facts = play(table, Place("self"))
    assert kinds(facts) == ["KingRevealed", "KingIdle", "CardDrawn"]
    assert "KING-PP-1" in table.discards


def test_a_mixed_king_raises_first_and_lowers_another() -> None:
    """F4."""
    assert len(decrees("MIX", EVEN)) == 20
    assert all(d.up != d.down for d in decrees("MIX", EVEN))
    assert decrees("MIX", HIGH) == tuple(Decree(down=(office,)) for office in OFFICES[:5])
    assert decrees("MIX", LOW) == tuple(Decree(up=(office,)) for office in OFFICES[:5])
    assert Decree(("diplomacy",), ()) in decrees("MIX", (2, 1, 1, 1, 1)), "the only tile that could fall was raised"


def test_a_plus_or_minus_king_is_free_in_its_direction() -> None:
    """F5."""
    assert len(decrees("PM", EVEN)) == 10
    assert decrees("PM", (1, 1, 1, 1, 6)) == (
        *(Decree(up=(office,)) for office in OFFICES[:4]),
        Decree(down=("military",)),
    )


def test_only_primary_duties_are_changed_and_secondaries_follow() -> None:
    """F6."""
    table, _ = play(replace(dealt(4), drawn="KING-P-1"), Place("self"), Decree(up=("livestock",)))
    assert table.duties == (3, 3, 4, 3, 3)


@pytest.mark.parametrize(("king", "count"), [("P", 5), ("M", 5), ("PM", 10), ("PP", 10), ("MM", 10), ("MIX", 20)])
def test_the_first_decree_is_the_first_in_the_order_of_the_offices(king: Any, count: int) -> None:
    """F33."""
    found = decrees(king, EVEN)
    assert len(found) == len(set(found)) == count
    assert "diplomacy" in found[0].up + found[0].down
