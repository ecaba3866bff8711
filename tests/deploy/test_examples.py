"""What docs and docstrings show in Python is true: pytest runs the examples, and the bots among them are played."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from ftk_core.entries import Clock
from ftk_core.games import shelf
from ftk_core.kit.house import start
from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import RandomPlayer
from ftk_core.referee import play
from ftk_core.rng import seed_of

FENCED = re.compile(r"^```py\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
FOLDERS = (".", "docs", "docs/decisions", "deploy", "frontend")
SHOWN = {
    "ftk_core.fold": "states",
    "ftk_core.game": "put",
    "ftk_core.games": "game",
    "ftk_core.kit.bot": "run",
    "ftk_core.log": "lines_of",
    "ftk_core.merkle": "root_of",
    "ftk_core.referee": "play",
    "ftk_core.rng": "Chance.at",
}
"""The doors by which one comes in, by module: each shows how it is used."""


def blocks() -> dict[str, str]:
    """Return every block of Python in a page of documentation, by the page and its number there."""
    pages = sorted(page for folder in FOLDERS for page in Path(folder).glob("*.md"))
    return {
        f"{page} {number}": body for page in pages for number, body in enumerate(FENCED.findall(page.read_text()), 1)
    }


PROGRAMS = {where: body for where, body in blocks().items() if not body.startswith(">>> ")}
"""What is no dialogue with the interpreter is a bot."""


@pytest.mark.slow
@pytest.mark.parametrize("where", PROGRAMS)
def test_a_bot_in_the_documentation_plays_every_game(where: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PROGRAMS[where])
    for name, rules in shelf().items():
        others = [RandomPlayer(seed_of(name, seat)) for seat in range(rules.seats.start - 1)]
        with PipePlayer("bot", start(tmp_path / "bot.py")) as bot:
            play(rules, [bot, *others], seed_of("documentation"), clock=Clock(move_ms=1000, bank_ms=5000))
            assert bot.faults == []


def test_examples_in_the_documentation_are_where_pytest_finds_them(request: pytest.FixtureRequest) -> None:
    assert PROGRAMS.keys() < blocks().keys()
    asked = [Path(path) for path in request.config.getini("testpaths")]
    found = [Path(where.rpartition(" ")[0]) for where in blocks().keys() - PROGRAMS.keys()]
    assert [str(page) for page in found if not any(page.is_relative_to(path) for path in asked)] == []
    assert "*.md" in request.config.getoption("doctestglob")
    assert request.config.getoption("doctestmodules")


@pytest.mark.parametrize("module", SHOWN)
def test_a_door_of_the_core_shows_how_it_is_used(module: str) -> None:
    shown = {test.name for test in doctest.DocTestFinder().find(import_module(module)) if test.examples}
    assert f"{module}.{SHOWN[module]}" in shown
