"""The picture of a table shows what is on the table and nothing else."""

from __future__ import annotations

from ftk_core.facts import PUBLIC
from ftk_core.games.for_the_king.player_view import view
from ftk_core.games.for_the_king.table_scene import scene
from tests.support.laws.tables import play_random_matches


def test_a_fully_known_hand_has_no_placeholder_for_hidden_cards() -> None:
    for match in play_random_matches("for_the_king", 3):
        for state in match.states[:: max(1, len(match.states) // 60)]:
            for zone in scene(view(state, PUBLIC)).zones:
                if zone.key.startswith("hand-") and zone.note != "0 cards":
                    assert zone.pieces
                    hidden = sum(not piece.face for piece in zone.pieces)
                    assert ("all known" in zone.note) == (not hidden and "unseen" not in zone.note)
