"""A King who cross-checks what he is told beats one who accuses anybody."""

from __future__ import annotations

from ftk_core.kit.arena import Series, play_one

GAMES = 20


def victories(king: str) -> int:
    """Return how many courts a King wins against the same seven subjects, who lie and tell the truth by role."""
    return sum(
        play_one(Series("kings_court", (king, *["sleuth"] * 7), f"reign {number}"), 0).places[0] == 1
        for number in range(GAMES)
    )


def test_a_king_who_finds_the_contradiction_beats_one_who_accuses_at_random() -> None:
    assert victories("sleuth") > victories("accuser") + GAMES // 3
