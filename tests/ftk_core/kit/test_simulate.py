"""`ftk league simulate` plays a league of a real game: with its tables, and with what it assumes said."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app

RUN = CliRunner()


def said(*words: str) -> str:
    result = RUN.invoke(app, ["league", "simulate", *words, "--runs", "2"])
    return str(result.output)


def test_a_league_is_simulated_at_the_tables_that_its_game_has() -> None:
    assert "tables of 8, the shortest of 6\n" in said("kings_court", "--seats", "8", "--entries", "16", "--rounds", "2")
    assert "tables of 4, the shortest of 2\n" in said("pig", "--entries", "9", "--rounds", "1")


def test_repeats_are_a_forecast_and_their_bound_is_called_a_bound() -> None:
    text = said("pig", "--seats", "2", "--entries", "4", "--rounds", "6")
    assert "pairs that meet again: 6; at least 6 cannot be avoided" in text


def test_the_chance_of_the_best_is_told_for_the_assumed_spread_and_for_half_and_twice_of_it() -> None:
    text = said("pig", "--entries", "8", "--rounds", "1", "--spread", "100")
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
def test_what_the_game_cannot_be_played_with_is_refused_in_a_sentence(words: tuple[str, ...], message: str) -> None:
    assert message in said(*words)
