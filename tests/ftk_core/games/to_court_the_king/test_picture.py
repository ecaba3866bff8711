"""The picture says what a viewer needs to know of the rules: in which row each character stands."""

from __future__ import annotations

import pytest

from ftk_core.games.to_court_the_king.box import CHARACTERS
from ftk_core.games.to_court_the_king.picture import scene
from ftk_core.scene import Piece
from tests.support.laws.tables import told


def characters() -> set[tuple[str, Piece]]:
    """Every character on any picture of a match, by name."""
    shown = (
        (tag.removeprefix("character:").upper(), piece)
        for match in told("to_court_the_king", 3)
        for state in match.states
        for zone in scene(state).zones
        for piece in zone.pieces
        for tag in piece.tags
        if tag.startswith("character:")
    )
    return set(shown)


@pytest.mark.slow
def test_a_character_is_shown_with_the_row_it_stands_in_wherever_it_lies() -> None:
    seen = characters()
    assert {name for name, _ in seen} >= {*CHARACTERS, "FOOL"}
    for name, piece in seen:
        rows = [tag for tag in piece.tags if tag.startswith("row:")]
        if name in CHARACTERS:
            assert rows == [f"row:{CHARACTERS[name].row}"]
        else:
            assert rows == (["row:V"] if name == "QUEEN" else [])
