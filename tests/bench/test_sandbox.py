"""Overhead of the sandbox, compared with an unsandboxed child in the same time windows."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import pytest

from bots.sandbox.bot_start_settings import BotStartCommand
from bots.sandbox.sandboxed_bot_start import start_all_in_sandbox
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.protocol.child_process import wrap_process
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.players import HelloMessage, Player
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.machine import sandbox_config, working_backends
from tests.support.sandbox.bots import NOTING_BOT, question
from tools.bench.workload_speed_comparison import BenchmarkResult, compare_rates

BOT = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        print(json.dumps({"id": ask["id"], "choose": int(ask["view"]["gathered"] < 38)}), flush=True)
"""
DECISIONS = 200
ROUNDS = 21
EVERYWHERE = pytest.mark.parametrize("backend", working_backends())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tmp_path.chmod(0o755)
    (tmp_path / "bot.py").write_text(BOT)
    return tmp_path


@contextmanager
def bare(folder: Path, count: int) -> Iterator[list[BotProcessPlayer]]:
    with ExitStack() as stack:
        command = [sys.executable, "-I", "-S", "-B", str(folder / "bot.py")]
        pipe = subprocess.PIPE
        children = [wrap_process(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)) for _ in range(count)]
        yield [stack.enter_context(BotProcessPlayer("bot", child)) for child in children]


@contextmanager
def caged(folder: Path, backend: str, count: int) -> Iterator[list[BotProcessPlayer]]:
    with start_all_in_sandbox(
        sandbox_config(backend), [("bot", BotStartCommand(folder, ("python", "bot.py")))] * count
    ) as players:
        yield players


def greeted(players: list[BotProcessPlayer]) -> list[BotProcessPlayer]:
    for seat, player in enumerate(players):
        player.greet(HelloMessage(game="pig", version=1, seat=seat, seats=2, move_ms=1000, bank_ms=0))
        player.choose(question(1))
    return players


@EVERYWHERE
def test_the_time_to_start_sandboxed_bots_is_compared_with_starting_bare_processes(
    figures: list[BenchmarkResult], folder: Path, backend: str
) -> None:
    def ours() -> float:
        with caged(folder, backend, 4) as players:
            greeted(players)
        return 1.0

    def floor() -> float:
        with bare(folder, 4) as players:
            greeted(players)
        return 1.0

    aim = {"forkserver": "ratio >= 2", "bwrap": "ours <= floor + 8 ms a bot", "landlock": "-"}[backend]
    figures.append(compare_rates(f"four bots started, {backend}, matches/s", ours, "bare children", floor, aim))


@EVERYWHERE
def test_the_number_of_answers_per_second_of_a_sandboxed_bot_is_compared_with_a_bare_process(
    figures: list[BenchmarkResult], folder: Path, backend: str
) -> None:
    with caged(folder, backend, 1) as (ours,), bare(folder, 1) as (floor,):
        greeted([ours, floor])

        def asks(player: BotProcessPlayer) -> Callable[[], float]:
            numbers = iter(range(2, 1 << 30))

            def ask() -> float:
                for _ in range(DECISIONS):
                    player.choose(question(next(numbers)))
                return float(DECISIONS)

            return ask

        name = f"decisions over the pipe, {backend}, decisions/s"
        figures.append(
            compare_rates(name, asks(ours), "a bare child, never stopped", asks(floor), "ours <= floor + 40 us")
        )


@EVERYWHERE
def test_the_number_of_matches_per_second_of_sandboxed_bots_is_compared_with_bare_processes(
    figures: list[BenchmarkResult], folder: Path, backend: str
) -> None:
    pig, played = game("pig"), iter(range(1 << 30))

    def match(players: list[BotProcessPlayer]) -> float:
        seats: list[Player] = list(players)
        play(pig, seats, seed_of("bench", next(played) % 20), log=InMemoryLog())
        return 1.0

    def ours() -> float:
        with caged(folder, backend, 2) as players:
            return match(players)

    def floor() -> float:
        with bare(folder, 2) as players:
            return match(players)

    aim = "ratio >= 0.8 (or 20 matches/s)"
    figures.append(
        compare_rates(
            f"a match of two (109 decisions) from spawn to end, {backend}, matches/s", ours, "bare children", floor, aim
        )
    )


@contextmanager
def hog() -> Iterator[subprocess.Popen[bytes]]:
    """Keep a core busy."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("neighbours", [0, 2, 6])
def test_the_time_charged_for_a_move_on_a_busy_machine_is_compared_with_an_idle_one(
    figures: list[BenchmarkResult], folder: Path, neighbours: int
) -> None:
    """Do the same work alone and beside busy processes; the charged time must be equal."""
    (folder / "bot.py").write_text(NOTING_BOT.format(body="    return sum(i * i for i in range(400_000))"))
    with ExitStack() as stack:
        (player,) = stack.enter_context(caged(folder, "bwrap", 1))
        greeted([player])
        crowd = [stack.enter_context(hog()) for _ in range(neighbours)]
        numbers, alone, beside = iter(range(2, 1 << 30)), [], []
        for _ in range(ROUNDS):
            for sign, spent in ((signal.SIGSTOP, alone), (signal.SIGCONT, beside)):
                for one in crowd:
                    one.send_signal(sign)
                spent.append(player.choose(question(next(numbers))).spent)
    before = median(s.charged_us for s in alone)
    charged = median(s.charged_us for s in beside)
    wall = median(int(s.wall_us or 0) for s in beside)
    name = f"a move beside {neighbours} busy neighbours, charged us (wall {wall:.0f})"
    figures.append(
        BenchmarkResult(name, charged, before, charged / before, "the same alone, charged us", "0.85 to 1.15")
    )
