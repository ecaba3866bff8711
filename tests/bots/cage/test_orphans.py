"""A worker that is killed while it starts or builds bots leaves no process behind."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.cage.build import build
from bots.cage.plan import BotProgram
from bots.cage.spawn import caged_all
from tests.support.hostile.world import adopting_orphans, descendants
from tests.support.lengths import either
from tests.support.machine import cage_of, have, held_tiers
from tests.support.waiting import wait_for

KILLS = either(40, 1000)
START_SECONDS = 0.15
"""The kill comes at any time within so long: most of them while bots are being started."""
SPINNING = "import os\nwhile True:\n    pass\n"


def start_bots_for_ever(tier: str, folder: Path) -> None:
    """Start and end tables of three bots, as a worker does between short matches."""
    table = [(str(seat), BotProgram(folder, ("python", "bot.py"))) for seat in range(3)]
    while True:
        with caged_all(cage_of(tier), table):
            pass


def build_for_ever(_tier: str, folder: Path) -> None:
    """Compile a bot again and again."""
    while True:
        build(folder, "c", "bot.c")


def check_kill(work: Callable[[str, Path], None], tier: str, folder: Path) -> None:
    """Kill a process at work, and wait for the end of everything that it has left behind as orphans of ours."""
    before = set(descendants())
    worker = multiprocessing.get_context("fork").Process(target=work, args=(tier, folder))
    worker.start()
    worker.join(random.uniform(0.01, START_SECONDS))
    assert worker.pid
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    left = set(descendants()) - before
    wait_for(lambda: not left & set(descendants()), "the end of every process of a killed worker")


@pytest.mark.slow
@pytest.mark.parametrize("tier", held_tiers())
def test_nothing_is_left_of_a_worker_that_is_killed_while_it_starts_bots(tier: str, tmp_path: Path) -> None:
    (folder := tmp_path / "bot").mkdir()
    (folder / "bot.py").write_text(SPINNING)
    with adopting_orphans():
        for _ in range(KILLS):
            check_kill(start_bots_for_ever, tier, folder)


@pytest.mark.slow
@pytest.mark.skipif(not have("cc"), reason="nothing is compiled on this machine")
def test_nothing_is_left_of_a_worker_that_is_killed_while_it_builds_bots(tmp_path: Path) -> None:
    (folder := tmp_path / "bot").mkdir()
    (folder / "bot.c").write_text("int main(void) { return 0; }\n")
    with adopting_orphans():
        for _ in range(KILLS):
            check_kill(build_for_ever, "bwrap", folder)
