"""Bots that look ahead with the engine inside the sandbox: the examples of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.games.pig.rules import RollAction
from ftk_core.kit.built_in_bots import list_search_bots
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.log_entries import TimeControl
from ftk_core.players import HelloMessage, QuestionToSeat
from tests.support.machine import sandbox_config, working_backends
from tests.support.native_library import build_and_load
from tests.support.sandbox.bots import PIG, start_bot_in
from tests.support.sandbox.languages import INSTALLED_LANGUAGES

FENCE = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
BACKENDS = pytest.mark.parametrize("backend", working_backends())


@pytest.fixture(autouse=True)
def native_library() -> None:
    build_and_load()


def ask_twice(player: BotProcessPlayer) -> None:
    """Ask with few points, where rolling is better, then with points that win at once."""
    start = PIG.setup(2, PIG.options())
    for number, points in enumerate((4, 99), 1):
        state = msgspec.structs.replace(start, gathered=points, rolls=2)
        menu = PIG.legal(state, 0)
        answer = player.choose(QuestionToSeat(PIG, state, 0, menu, number=number, clock=TimeControl(3000, 0)))
        assert isinstance(menu[answer.index], RollAction) == (points == 4), player.stderr


def examples(language: str) -> list[str]:
    return [text for name, text in FENCE.findall(Path("docs/engine.md").read_text()) if name == language]


@BACKENDS
@pytest.mark.parametrize("number", range(2))
def test_the_python_example_bots_can_search_ahead_with_the_game_engine_inside_the_sandbox(
    backend: str, number: int, tmp_path: Path
) -> None:
    with start_bot_in(backend, tmp_path, examples("python")[number]) as player:
        ask_twice(player)


@BACKENDS
@pytest.mark.parametrize("name", ["club", "master"])
def test_the_built_in_search_bots_can_search_ahead_with_the_game_engine_inside_the_sandbox(
    backend: str, name: str, tmp_path: Path
) -> None:
    with start_bot_in(backend, tmp_path, list_search_bots("pig")[name].read_text()) as player:
        ask_twice(player)


@pytest.mark.parametrize("backend", [name for name in working_backends() if "cpp" in INSTALLED_LANGUAGES])
def test_the_cpp_example_bot_can_search_ahead_with_the_game_engine_inside_the_sandbox(
    backend: str, tmp_path: Path
) -> None:
    (source,) = examples("cpp")
    for place in (tmp_path, *tmp_path.parents[:2]):
        place.chmod(0o755)
    folder = create_bot_folder(tmp_path / "bot", ("cpp", "main.cpp"), lambda: [("main.cpp", source.encode())])
    with start_in_sandbox(sandbox_config(backend), "bot", folder, ("cpp", "main.cpp")) as player:
        player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=3000, bank_ms=0))
        ask_twice(player)
