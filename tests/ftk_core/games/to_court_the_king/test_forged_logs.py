"""Logs with invented dice."""

from __future__ import annotations

from ftk_core.games.to_court_the_king.facts import DiceRolled, RoundBegan
from ftk_core.games.to_court_the_king.rules import GAME
from ftk_core.kit.verify.match_log_verification import verify_lines
from tests.support.auditing.abandoned_matches import abandoned_log


def test_verification_of_an_abandoned_match_lists_no_ways_to_set_aside_six_hundred_invented_dice() -> None:
    dice = tuple(face for face in range(1, 7) for _ in range(100))
    log = abandoned_log(GAME, 2, RoundBegan(1, 0), DiceRolled(0, dice, opening=True))
    assert verify_lines(log).void == "a worker died"
