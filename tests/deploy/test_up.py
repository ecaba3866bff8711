"""``manage.py up``: everything runs, whatever dies comes back, and nothing is left when it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.arena import STARTED, Arena
from tests.waiting import wait_for


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    arena = Arena(tmp_path / "var")
    yield arena
    if arena.process.poll() is None:
        arena.process.terminate()
        arena.process.wait(STARTED)
    arena.gone()


def test_everything_starts_once_on_nothing_and_ctrl_c_stops_every_process(arena: Arena) -> None:
    arena.opened()
    second = Arena(arena.var)
    assert arena.answers()
    for word in ("bin/postgres", "-Q\0matches", "-Q\0house", "beat", "uvicorn"):
        assert arena.processes(word), word
    assert second.process.wait(STARTED) == 1
    assert "in use by another" in second.said()
    arena.process.send_signal(signal.SIGINT)
    assert arena.process.wait(STARTED) == 0, arena.said()
    assert arena.processes() == []


def test_a_child_that_is_killed_comes_back(arena: Arena) -> None:
    arena.opened()
    for word in ("uvicorn", "-Q\0matches"):
        (old, *_) = sorted(arena.processes(word))
        os.kill(old, signal.SIGKILL)
        wait_for(lambda word=word, old=old: set(arena.processes(word)) - {old} and word, f"{word} is back")
    wait_for(lambda: "matches ended (-9)" in arena.said(), "the supervisor says so")


def test_a_port_in_use_is_named_with_the_remedy(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [sys.executable, "manage.py", "up", "--port", str(taken.getsockname()[1])],
            env={**os.environ, "FTK_VAR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "is not free" in done.stderr
    assert "--port" in done.stderr
