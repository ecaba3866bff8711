"""Graceful shutdown of a worker: it gives up its match after a log page, and another worker resumes it at once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.arena import Arena
from tests.support.lengths import short_or_long
from tests.support.prepared_leagues import (
    LeagueSize,
    copy_folder,
    count_entries,
    is_league_closed,
    prepare_league,
    query_database,
    read_outcome,
)
from tests.support.waiting import wait_for

SIZE = LeagueSize(bots=4, rounds=1, games=2, seconds=0.02)
PLAYED = 120.0
LEASE = 600
"""A lease longer than the test, so that a match is resumed only if its worker gave it up."""
ATTEMPTS = "SELECT DISTINCT attempts FROM replays_match"
TIMES = short_or_long(1, 3)


@contextmanager
def supervised(var: Path) -> Iterator[Arena]:
    arena = Arena(var, FTK_METERED="0", FTK_LEASE_SECONDS=str(LEASE))
    try:
        yield arena
    finally:
        arena.process.kill()
        arena.process.wait()


def asked_to_leave(arena: Arena) -> float:
    """Shut the match worker down; return the seconds until it has exited."""
    (worker,) = wait_for(lambda: arena.started("matches@"), "a worker", PLAYED)
    began = time.monotonic()
    os.kill(worker, signal.SIGTERM)
    wait_for(lambda: not Path(f"/proc/{worker}").exists(), "the worker is gone", PLAYED)
    return time.monotonic() - began


@pytest.mark.nightly
def test_a_league_has_the_same_result_if_its_workers_shut_down_gracefully_during_the_league(tmp_path: Path) -> None:
    league = prepare_league(tmp_path / "var", SIZE)
    with supervised(copy_folder(league, tmp_path / "calm")) as calm:
        wait_for(lambda: is_league_closed(calm), "the end of the calm league", PLAYED)
        expected = read_outcome(calm)
    with supervised(copy_folder(league, tmp_path / "drained")) as arena:
        stored = 0
        for _ in range(TIMES):
            wait_for(lambda stored=stored: count_entries(arena) > stored + 5, "the midst of a match", PLAYED)
            asked_to_leave(arena)
            stored = count_entries(arena)
        wait_for(lambda: is_league_closed(arena), lambda: f"the end of the league; {arena.read_output()}", PLAYED)
        assert read_outcome(arena) == expected
        assert query_database(arena, ATTEMPTS) == [(1,)], "a match that was given up was counted as tried"
