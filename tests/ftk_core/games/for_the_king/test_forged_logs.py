"""Logs with invented cards."""

from __future__ import annotations

from ftk_core.games.for_the_king.facts import CardKept
from ftk_core.games.for_the_king.rules import GAME
from ftk_core.kit.verify.match_log_verification import verify_lines
from tests.support.auditing.abandoned_matches import abandoned_log


def test_verification_of_an_abandoned_match_does_not_fail_at_a_kept_card_that_the_log_does_not_name() -> None:
    assert verify_lines(abandoned_log(GAME, 3, CardKept(0, None))).void == "a worker died"
