"""Playouts per second of a bot that searches with the engine, in the sandbox and as a bare process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.games import game
from ftk_core.kit.protocol.child_process import wrap_process
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.log_entries import TimeControl
from ftk_core.match_moves import moves_of
from ftk_core.players import HelloMessage, QuestionToSeat
from tests.support.machine import sandbox_config, working_backends
from tests.support.native_library import build_and_load
from tests.support.reviews import log_of
from tools.bench.workload_speed_comparison import BenchmarkResult, compare_rates

BUDGET, MOVE_MS = 100_000, 60_000
BOT = f"""
from ftk_core.kit.bot import run
from ftk_core.kit.engine import search_seed, table_of


def choose(ask):
    best, items = table_of(ask).search(ask.seat, {BUDGET}, seed=search_seed(ask))
    ask.note = {{"playouts": sum(playouts for _, playouts in items)}}
    return best


run(choose)
"""


def searches(player: BotProcessPlayer, name: str, seats: int) -> Callable[[], float]:
    """Return a function that asks the bot about the longest menu of a match, and returns its number of playouts."""
    move = max(moves_of(log_of(name, seats)).moves, key=lambda move: len(move.menu))
    version = game(name).version
    player.greet(HelloMessage(game=name, version=version, seat=move.seat, seats=seats, move_ms=MOVE_MS, bank_ms=0))
    numbers = count(1)

    def search() -> float:
        question = QuestionToSeat(
            game(name), move.turn_start, move.seat, move.menu, number=next(numbers), clock=TimeControl(MOVE_MS, 0)
        )
        player.choose(question)
        return float(player.notes[-1][1].removeprefix("playouts="))

    return search


@pytest.mark.parametrize(
    ("name", "seats"), [("for_the_king", 4), ("to_court_the_king", 3), ("kings_court", 6), ("pig", 2)]
)
def test_playouts_per_second_of_a_search_in_the_sandbox_are_compared_with_those_of_a_bare_process(
    name: str, seats: int, figures: list[BenchmarkResult], tmp_path: Path
) -> None:
    build_and_load()
    tmp_path.chmod(0o755)
    (tmp_path / "bot.py").write_text(BOT)
    backend, pipe = working_backends()[0], subprocess.PIPE
    child = subprocess.Popen([sys.executable, str(tmp_path / "bot.py")], stdin=pipe, stdout=pipe, stderr=pipe)
    exact_times = replace(sandbox_config(backend), grid=0)  # rounded answer times are no computing time
    with (
        start_in_sandbox(exact_times, "bot", tmp_path, ("python", "bot.py")) as ours,
        BotProcessPlayer("bot", wrap_process(child)) as bare,
    ):
        figures.append(
            compare_rates(
                f"{name}, {seats} seats: search with a budget of {BUDGET:,}, {backend}, playouts/s",
                searches(ours, name, seats),
                "a bare child",
                searches(bare, name, seats),
                "ratio >= 0.9",
            )
        )
