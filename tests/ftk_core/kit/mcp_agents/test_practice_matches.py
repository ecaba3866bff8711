"""Practice matches with a log that cannot be written: they end normally."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.games import game
from ftk_core.kit.mcp_agents.agent_seats import AgentSeats
from ftk_core.kit.mcp_agents.practice_matches import PracticeMatches
from ftk_core.players import RandomPlayer
from tests.support.waiting import wait_for


def test_a_practice_match_whose_log_cannot_be_written_ends_with_its_places_and_names_the_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    seats = AgentSeats()
    matches = PracticeMatches(seats, "tests", tmp_path / "missing")
    matches.seat_agent(game("pig"), [RandomPlayer(b"x" * 32, "other")], 0, b"seed" * 8)
    (seat,) = seats.list_seats()

    def is_over() -> bool:
        if seat.question:
            seat.send(seat.question.number, 0, "")
        return seat.is_over

    wait_for(is_over, "the match is over")
    assert sorted(seat.places) == [1, 2]
    assert "missing" in capfd.readouterr().err
