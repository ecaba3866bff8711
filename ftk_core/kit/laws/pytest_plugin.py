"""Pytest plug-in that tests the rules of the games named by ``--ftk-laws``."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.games import UnknownGameError, game

LAWS_FILE = Path(__file__).with_name("game_conformance_tests.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that name the games to test and the number of random matches."""
    group = parser.getgroup("ftk", "laws of board games")
    group.addoption("--ftk-laws", metavar="GAME", action="append", default=[], help="Run the laws on this game.")
    group.addoption(
        "--ftk-laws-matches", metavar="NUMBER", type=int, default=4, help="Random matches for each table size (4)."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Add the tests of a game's rules if the option ``--ftk-laws`` names a game."""
    names = _list_games(config)
    try:
        for name in names:
            game(name)
    except UnknownGameError as error:
        raise pytest.UsageError(f"--ftk-laws: {error}") from error
    if names:
        config.args.append(str(LAWS_FILE))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test for every game and number of seats."""
    if getattr(metafunc.module, "__file__", None) == str(LAWS_FILE):
        tables = [(name, seats) for name in _list_games(metafunc.config) for seats in game(name).seats]
        metafunc.parametrize(("name", "seats"), tables)


@pytest.fixture
def match_count(request: pytest.FixtureRequest) -> int:
    """Return the number of random matches that a test plays with each number of seats."""
    return int(request.config.getoption("--ftk-laws-matches") or 0)


def _list_games(config: pytest.Config) -> list[str]:
    """Return the names of the games to test, given by the option ``--ftk-laws``."""
    return list(config.getoption("--ftk-laws") or ())
