"""`ftk league simulate` plays a league of a real game and states its assumptions."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.command_group import EXIT_WRONG_INPUT

RUN = CliRunner()


def run_simulation(*words: str, exit_code: int = 0) -> str:
    result = RUN.invoke(app, ["league", "simulate", *words, "--runs", "2"])
    assert result.exit_code == exit_code
    return str(result.output)


def test_ftk_simulate_uses_table_sizes_that_the_game_allows() -> None:
    assert "tables of 8, the shortest of 6\n" in run_simulation(
        "kings_court", "--seats", "8", "--entries", "16", "--rounds", "2"
    )
    assert "tables of 4, the shortest of 2\n" in run_simulation("pig", "--entries", "9", "--rounds", "1")


def test_ftk_simulate_prints_how_many_pairs_meet_again_and_how_many_of_these_are_unavoidable() -> None:
    text = run_simulation("pig", "--seats", "2", "--entries", "4", "--rounds", "6")
    assert "pairs that meet again: 6; at least 6 cannot be avoided" in text


def test_the_chance_that_the_best_bot_wins_is_printed_for_several_assumed_rating_spreads() -> None:
    text = run_simulation("pig", "--entries", "8", "--rounds", "1", "--spread", "100")
    assert "standard deviation of 100 points" in text
    assert "(at half of that" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ludo",), "there is no game 'ludo'"),
        (("kings_court", "--seats", "4"), "is played by 6 to 12, not by 4"),
        (("kings_court", "--entries", "5", "--rounds", "1"), "needs 6 entries or more"),
    ],
)
def test_ftk_simulate_refuses_unknown_games_and_league_settings_that_the_game_does_not_allow(
    words: tuple[str, ...], message: str
) -> None:
    assert message in run_simulation(*words, exit_code=EXIT_WRONG_INPUT)
