"""``manage.py up``: everything runs, whatever dies comes back, and nothing is left when it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.waiting import wait_for

FRESH = ("DATABASE_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE")
STARTED = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Arena:
    """One ``manage.py up`` with a folder and a port of its own."""

    def __init__(self, var: Path) -> None:
        self.var, self.port = var, free_port()
        self.out = var.with_name("out.txt")
        env = {name: value for name, value in os.environ.items() if name not in FRESH}
        with self.out.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--port", str(self.port), "--workers", "1"],
                env={**env, "FTK_VAR": str(var)},
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.out.read_text()

    def opened(self) -> Arena:
        wait_for(lambda: "is open at" in self.said() or self.process.poll() is not None, "an answer", STARTED)
        assert self.process.poll() is None, self.said()
        return self

    def processes(self, word: str = "") -> list[int]:
        """Return whatever runs on this folder and has the word in its command; zombies do not run."""
        mark, found = os.fsencode(f"FTK_VAR={self.var}"), []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                words = (folder / "environ").read_bytes().split(b"\0")
                command = (folder / "cmdline").read_bytes()
                if mark in words and command and word.encode() in command:
                    found.append(int(folder.name))
        return found

    def gone(self) -> None:
        wait_for(lambda: not self.processes(), f"nothing is left; there is {self.processes()}")


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    arena = Arena(tmp_path / "var")
    yield arena
    if arena.process.poll() is None:
        arena.process.terminate()
        arena.process.wait(STARTED)
    arena.gone()


def answers(arena: Arena) -> bool:
    with urlopen(f"http://127.0.0.1:{arena.port}/api/schema/", timeout=20) as response:
        return bool(response.status == 200)


def test_everything_starts_on_nothing_and_ctrl_c_stops_every_process(arena: Arena) -> None:
    arena.opened()
    assert answers(arena)
    for word in ("bin/postgres", "-Q\0matches", "-Q\0house", "beat", "uvicorn"):
        assert arena.processes(word), word
    arena.process.send_signal(signal.SIGINT)
    assert arena.process.wait(STARTED) == 0, arena.said()
    assert arena.processes() == []


def test_kill_9_of_the_supervisor_leaves_nothing_and_a_second_start_works(arena: Arena) -> None:
    arena.opened()
    arena.process.kill()
    arena.process.wait()
    arena.gone()
    again = Arena(arena.var).opened()
    assert answers(again)
    again.process.terminate()
    assert again.process.wait(STARTED) == 0
    again.gone()


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


def test_a_second_arena_on_the_same_folder_is_refused(arena: Arena) -> None:
    arena.opened()
    second = Arena(arena.var)
    assert second.process.wait(STARTED) == 1
    assert "in use by another" in second.said()
