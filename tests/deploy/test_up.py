"""``manage.py up``: everything runs, whatever dies comes back, and nothing is left when it ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.arena import STARTED, Arena
from tests.support.waiting import wait_for


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
    for word in ("bin/postgres", "-Q\0league", "-Q\0trials", "-Q\0house", "beat", "deploy.web"):
        assert arena.processes(word), word
    assert second.process.wait(STARTED) == 2
    assert "in use by another" in second.said()
    arena.process.send_signal(signal.SIGINT)
    assert arena.process.wait(STARTED) == 0, arena.said()
    assert arena.processes() == []


def test_a_child_that_is_killed_comes_back(arena: Arena) -> None:
    arena.opened()
    for word in ("deploy.web", "-Q\0league"):
        (old, *_) = sorted(arena.processes(word))
        os.kill(old, signal.SIGKILL)
        wait_for(lambda word=word, old=old: set(arena.processes(word)) - {old} and word, f"{word} is back")
    wait_for(lambda: "matches ended (-9)" in arena.said(), "the supervisor says so")
