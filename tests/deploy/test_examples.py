"""Examples in the documentation and in docstrings: pytest runs them, and the bots among them play."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from ftk_core.games import list_games
from ftk_core.kit.built_in_bots import start_bot
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.log_entries import TimeControl
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.native_library import can_build

FENCED = re.compile(r"^```py\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
FOLDERS = (".", "docs", "docs/decisions", "deploy", "frontend")
SHOWN = {
    "ftk_core.match_state_from_log": "states",
    "ftk_core.game": "replace_at",
    "ftk_core.games": "game",
    "ftk_core.kit.bot": "run",
    "ftk_core.hash_chained_log": "lines_of",
    "ftk_core.merkle": "root_of",
    "ftk_core.referee": "play",
    "ftk_core.random_streams": "MatchRandomness.at",
}
"""The main public functions by module. The docstring of each needs an example."""


def blocks() -> dict[str, str]:
    """Return every block of Python in a page of documentation, by page and number."""
    pages = sorted(page for folder in FOLDERS for page in Path(folder).glob("*.md"))
    return {
        f"{page} {number}": body for page in pages for number, body in enumerate(FENCED.findall(page.read_text()), 1)
    }


PROGRAMS = {
    where: body
    for where, body in blocks().items()
    if not body.startswith((">>> ", "import asyncio")) and ("kit.engine" not in body or can_build())
}
"""Bots: all code blocks except interpreter sessions and clients of `ftk mcp`.

Bots that look ahead need the native rules.
"""


@pytest.mark.nightly
@pytest.mark.parametrize("where", PROGRAMS)
def test_each_example_bot_in_the_documentation_plays_every_game_without_a_fault(where: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PROGRAMS[where])
    for name, rules in list_games().items():
        others = [RandomPlayer(seed_of(name, seat)) for seat in range(rules.seats.start - 1)]
        with BotProcessPlayer("bot", start_bot("pig", str(tmp_path / "bot.py"))) as bot:
            play(rules, [bot, *others], seed_of("documentation"), clock=TimeControl(move_ms=1000, bank_ms=5000))
            assert bot.faults == []


def test_pytest_collects_all_examples_of_the_documentation(request: pytest.FixtureRequest) -> None:
    assert PROGRAMS.keys() < blocks().keys()
    asked = [Path(path) for path in request.config.getini("testpaths")]
    found = [Path(where.rpartition(" ")[0]) for where in blocks().keys() - PROGRAMS.keys()]
    assert [str(page) for page in found if not any(page.is_relative_to(path) for path in asked)] == []
    assert "*.md" in request.config.getoption("doctestglob")
    assert request.config.getoption("doctestmodules")


@pytest.mark.parametrize("module", SHOWN)
def test_each_main_public_function_of_the_core_has_an_example_in_its_docstring(module: str) -> None:
    shown = {test.name for test in doctest.DocTestFinder().find(import_module(module)) if test.examples}
    assert f"{module}.{SHOWN[module]}" in shown
