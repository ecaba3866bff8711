"""Share of its allowed time that a seat used in a match."""

from __future__ import annotations

import msgspec

from ftk_core.log_entries import ChoiceMade
from replays.models import Match
from replays.playing.match_results import TimeAndMissedAnswersBySeat


def choice(seat: int, charged_us: int) -> ChoiceMade:
    return ChoiceMade(1, seat=seat, action=msgspec.Raw(b"{}"), charged_us=charged_us)


def test_the_used_fraction_of_time_is_relative_to_the_time_bank_plus_all_move_times() -> None:
    tally = TimeAndMissedAnswersBySeat(Match(move_ms=100, bank_ms=800), seats=2)
    tally.add([choice(0, 400_000), choice(0, 100_000)])
    assert tally.spent == [500 / (800 + 2 * 100), 0.0]


def test_the_fraction_of_time_used_by_a_player_who_was_allowed_no_time_is_zero() -> None:
    tally = TimeAndMissedAnswersBySeat(Match(move_ms=100, bank_ms=0), seats=1)
    assert tally.spent == [0.0]
