"""Killed workers: a worker killed while it starts or builds bots leaves no process behind."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.sandbox.bot_start_settings import BotStartCommand
from bots.sandbox.sandboxed_bot_start import start_all_in_sandbox
from bots.sandbox.sandboxed_compilation import build_program
from tests.support.hostile.targets import adopt_orphans, list_descendants
from tests.support.lengths import short_or_long
from tests.support.machine import has_programs, sandbox_config, working_backends
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

KILLS = short_or_long(40, 1000)
START_SECONDS = 0.15
"""Maximum delay before a kill. It is short, so that most kills hit while bots are being started."""
SPINNING_BOT = "import os\nwhile True:\n    pass\n"


def start_bots_forever(backend: str, folder: Path) -> None:
    """Start and end tables of three bots repeatedly, as a worker does between short matches."""
    table = [(str(seat), BotStartCommand(folder, ("python", "bot.py"))) for seat in range(3)]
    while True:
        with start_all_in_sandbox(sandbox_config(backend), table):
            pass


def build_forever(_tier: str, folder: Path) -> None:
    """Compile a bot repeatedly."""
    while True:
        build_program(folder, "c", "bot.c")


def check_kill(work: Callable[[str, Path], None], backend: str, folder: Path) -> None:
    """Kill a process while it works, and wait until all its orphans have ended."""
    before = set(list_descendants())
    worker = multiprocessing.get_context("fork").Process(target=work, args=(backend, folder))
    worker.start()
    worker.join(random.uniform(0.01, START_SECONDS))
    assert worker.pid
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    left = set(list_descendants()) - before
    wait_for(lambda: not left & set(list_descendants()), "the end of every process of a killed worker")


@pytest.mark.nightly
@pytest.mark.parametrize("backend", working_backends())
def test_a_worker_killed_while_it_starts_bots_leaves_no_process(backend: str, tmp_path: Path) -> None:
    (folder := tmp_path / "bot").mkdir()
    (folder / "bot.py").write_text(SPINNING_BOT)
    with adopt_orphans():
        for _ in range(KILLS):
            check_kill(start_bots_forever, backend, folder)


@pytest.mark.skipif(not has_programs("cc"), reason="nothing is compiled on this machine")
def test_a_worker_killed_while_it_builds_bots_leaves_no_process(tmp_path: Path) -> None:
    (folder := tmp_path / "bot").mkdir()
    (folder / "bot.c").write_text("int main(void) { return 0; }\n")
    with adopt_orphans():
        for _ in range(KILLS):
            check_kill(build_forever, "bwrap", folder)
