"""A worker that is asked to leave gives up what it plays behind its page, and another goes on at once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.arena import Arena
from tests.support.prepared import Size, asked, copied, ended, entries, outcome, prepared
from tests.support.waiting import wait_for

SIZE = Size(bots=4, rounds=1, games=2, seconds=0.02)
PLAYED = 120.0
LEASE = 600
"""Longer than everything else here: nothing goes on that was not given up."""
ATTEMPTS = "SELECT DISTINCT attempts FROM replays_match"
TIMES = 3


@contextmanager
def supervised(var: Path) -> Iterator[Arena]:
    arena = Arena(var, FTK_METERED="0", FTK_LEASE_SECONDS=str(LEASE))
    try:
        yield arena
    finally:
        arena.process.kill()
        arena.process.wait()


def asked_to_leave(arena: Arena) -> float:
    """Ask the worker for matches to leave, and return after how many seconds it was gone."""
    (worker,) = wait_for(lambda: arena.started("matches@"), "a worker", PLAYED)
    began = time.monotonic()
    os.kill(worker, signal.SIGTERM)
    wait_for(lambda: not Path(f"/proc/{worker}").exists(), "the worker is gone", PLAYED)
    return time.monotonic() - began


@pytest.mark.slow
def test_a_league_whose_worker_is_asked_to_leave_ends_as_if_it_had_stayed(tmp_path: Path) -> None:
    league = prepared(tmp_path / "var", SIZE)
    with supervised(copied(league, tmp_path / "calm")) as calm:
        wait_for(lambda: ended(calm), "the end of the calm league", PLAYED)
        expected = outcome(calm)
    with supervised(copied(league, tmp_path / "drained")) as arena:
        stored = 0
        for _ in range(TIMES):
            wait_for(lambda stored=stored: entries(arena) > stored + 5, "the midst of a match", PLAYED)
            asked_to_leave(arena)
            stored = entries(arena)
        wait_for(lambda: ended(arena), f"the end of the league; {arena.said()}", PLAYED)
        assert outcome(arena) == expected
        assert asked(arena, ATTEMPTS) == [(1,)], "a match that was given up was counted as tried"
