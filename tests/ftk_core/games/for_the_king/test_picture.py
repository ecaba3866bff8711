"""The picture of a table shows what there is and nothing else."""

from __future__ import annotations

from ftk_core.facts import PUBLIC
from ftk_core.games.for_the_king.picture import scene
from ftk_core.games.for_the_king.sight import view
from tests.support.laws.tables import told


def test_a_hand_of_which_all_is_known_has_no_empty_place_beside_it() -> None:
    for match in told("for_the_king", 3):
        for state in match.states[:: max(1, len(match.states) // 60)]:
            for zone in scene(view(state, PUBLIC)).zones:
                if zone.key.startswith("hand-") and zone.note != "0 cards":
                    assert zone.pieces
                    hidden = sum(not piece.face for piece in zone.pieces)
                    assert ("all known" in zone.note) == (not hidden and "unseen" not in zone.note)
