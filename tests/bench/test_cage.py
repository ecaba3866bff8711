"""What the cage costs, against a bare child in the same windows."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import pytest

from bots.cage.plan import BotProgram
from bots.cage.spawn import caged_all
from ftk_core.games import game
from ftk_core.kit.child import child_of
from ftk_core.kit.pipe import PipePlayer
from ftk_core.log import MemoryLog
from ftk_core.players import Hello, Player
from ftk_core.referee import play
from ftk_core.rng import seed_of
from tests.support.bench.windows import Figure, compare
from tests.support.cage.bots import SAYS, question
from tests.support.machine import cage_of, held_tiers

BOT = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        print(json.dumps({"id": ask["id"], "choose": int(ask["view"]["gathered"] < 38)}), flush=True)
"""
DECISIONS = 200
ROUNDS = 21
EVERYWHERE = pytest.mark.parametrize("tier", held_tiers())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tmp_path.chmod(0o755)
    (tmp_path / "bot.py").write_text(BOT)
    return tmp_path


@contextmanager
def bare(folder: Path, count: int) -> Iterator[list[PipePlayer]]:
    with ExitStack() as stack:
        command = [sys.executable, "-I", "-S", "-B", str(folder / "bot.py")]
        pipe = subprocess.PIPE
        children = [child_of(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)) for _ in range(count)]
        yield [stack.enter_context(PipePlayer("bot", child)) for child in children]


@contextmanager
def caged(folder: Path, tier: str, count: int) -> Iterator[list[PipePlayer]]:
    with caged_all(cage_of(tier), [("bot", BotProgram(folder, ("python", "bot.py")))] * count) as players:
        yield players


def greeted(players: list[PipePlayer]) -> list[PipePlayer]:
    for seat, player in enumerate(players):
        player.greet(Hello(game="pig", version=1, seat=seat, seats=2, move_ms=1000, bank_ms=0))
        player.choose(question(1))
    return players


@EVERYWHERE
def test_starting_a_match_of_four(figures: list[Figure], folder: Path, tier: str) -> None:
    def ours() -> float:
        with caged(folder, tier, 4) as players:
            greeted(players)
        return 1.0

    def floor() -> float:
        with bare(folder, 4) as players:
            greeted(players)
        return 1.0

    aim = {"forkserver": "ratio >= 2", "bwrap": "ours <= floor + 8 ms a bot", "landlock": "-"}[tier]
    figures.append(compare(f"four bots started, {tier}, matches/s", ours, "bare children", floor, aim))


@EVERYWHERE
def test_asking(figures: list[Figure], folder: Path, tier: str) -> None:
    with caged(folder, tier, 1) as (ours,), bare(folder, 1) as (floor,):
        greeted([ours, floor])

        def asks(player: PipePlayer) -> Callable[[], float]:
            numbers = iter(range(2, 1 << 30))

            def ask() -> float:
                for _ in range(DECISIONS):
                    player.choose(question(next(numbers)))
                return float(DECISIONS)

            return ask

        name = f"decisions over the pipe, {tier}, decisions/s"
        figures.append(compare(name, asks(ours), "a bare child, never stopped", asks(floor), "ours <= floor + 40 us"))


@EVERYWHERE
def test_a_match_of_two(figures: list[Figure], folder: Path, tier: str) -> None:
    pig, played = game("pig"), iter(range(1 << 30))

    def match(players: list[PipePlayer]) -> float:
        seats: list[Player] = list(players)
        play(pig, seats, seed_of("bench", next(played) % 20), log=MemoryLog())
        return 1.0

    def ours() -> float:
        with caged(folder, tier, 2) as players:
            return match(players)

    def floor() -> float:
        with bare(folder, 2) as players:
            return match(players)

    aim = "ratio >= 0.8 (or 20 matches/s)"
    figures.append(
        compare(
            f"a match of two (109 decisions) from spawn to end, {tier}, matches/s", ours, "bare children", floor, aim
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
def test_what_a_move_is_charged_beside_busy_neighbours(figures: list[Figure], tmp_path: Path, neighbours: int) -> None:
    """The same work, alone and in a crowd: what is charged must not depend on who else is there."""
    (tmp_path / "bot.py").write_text(SAYS.format(body="    return sum(i * i for i in range(400_000))"))
    with ExitStack() as stack:
        (player,) = stack.enter_context(caged(tmp_path, "bwrap", 1))
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
    figures.append(Figure(name, charged, before, charged / before, "the same alone, charged us", "0.85 to 1.15"))
