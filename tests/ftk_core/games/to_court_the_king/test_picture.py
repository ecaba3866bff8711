"""The picture shows in which row each character stands."""

from __future__ import annotations

import pytest

from ftk_core.games.to_court_the_king.characters import CHARACTERS
from ftk_core.games.to_court_the_king.table_scene import scene
from ftk_core.views.scene import ScenePiece
from tests.support.laws.tables import play_random_matches

pytestmark = pytest.mark.slow


def characters() -> set[tuple[str, ScenePiece]]:
    """Every character on any picture of a match, by name."""
    shown = (
        (tag.removeprefix("character:").upper(), piece)
        for match in play_random_matches("to_court_the_king", 3)
        for state in match.states
        for zone in scene(state).zones
        for piece in zone.pieces
        for tag in piece.tags
        if tag.startswith("character:")
    )
    return set(shown)


def test_each_character_card_in_a_picture_has_a_tag_with_the_row_of_its_character() -> None:
    seen = characters()
    assert {name for name, _ in seen} >= {*CHARACTERS, "FOOL"}
    for name, piece in seen:
        rows = [tag for tag in piece.tags if tag.startswith("row:")]
        if name in CHARACTERS:
            assert rows == [f"row:{CHARACTERS[name].row}"]
        else:
            assert rows == (["row:V"] if name == "QUEEN" else [])
