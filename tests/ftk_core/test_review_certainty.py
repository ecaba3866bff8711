"""Certainty of reviews: a value is certain only if the calibration confirms it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.match_state_from_log import read_options
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.reviews import log_by, log_of, review_of


@pytest.mark.parametrize(("name", "eyes", "is_calibrated"), [
    ("for_the_king", "all", True), ("for_the_king", "public", False), ("pig", "public", True),
])  # fmt: skip
def test_a_public_review_of_a_game_with_secrets_is_not_calibrated(name: str, eyes: str, is_calibrated: bool) -> None:
    found = review_of(log_of(name, 3), 2, eyes=eyes, options=False)
    assert bool(found.calibration) == is_calibrated


def log_with_options(options: str) -> Sequence[bytes]:
    """Return the log of a match of Kings Court with these options."""
    rules, log = game("kings_court"), InMemoryLog()
    bots = [InProcessBot("kings_court", "random") for _ in range(6)]
    play(rules, bots, seed_of("options"), log=log, options=read_options(rules, options))
    return list(lines_of(log))


@pytest.mark.parametrize(("options", "is_calibrated"), [("{}", True), ('{"fake": true}', False)])
def test_a_review_of_a_match_with_unusual_options_is_not_calibrated(options: str, is_calibrated: bool) -> None:
    found = review_of(log_with_options(options), 2, options=False)
    assert bool(found.calibration) == is_calibrated


def test_a_loss_is_sure_only_if_its_calibrated_interval_is_above_zero() -> None:
    random_bots = [InProcessBot("for_the_king", "random") for _ in range(3)]
    king, court = (
        review_of(lines, 20, eyes="own") for lines in (log_by("for_the_king", random_bots), log_of("kings_court", 6))
    )
    assert {mistake.sure for mistake in king.costliest} == {True, False}
    assert all(Fraction(mistake.loss) > Fraction(mistake.margin) for mistake in king.costliest if mistake.sure)
    assert any(Fraction(mistake.loss) > Fraction(mistake.margin) for mistake in court.costliest)
    assert not any(mistake.sure for mistake in court.costliest)


def test_an_accuracy_is_sure_only_if_the_calibration_confirms_the_stakes() -> None:
    king, court = (
        review_of(log_of(name, seats), 20, eyes="own") for name, seats in (("for_the_king", 3), ("kings_court", 6))
    )
    assert all(play.sure for play in king.play)
    assert not any(play.sure for play in court.play)
