"""Pause of a match whose worker was killed, if no other match is before it in the queue."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import psycopg
import pytest

from tests.support.arena import STARTED, Arena
from tests.support.prepared_leagues import LeagueSize, prepare_league
from tests.support.waiting import wait_for
from tools.bench.workload_speed_comparison import BenchmarkResult

LEASE, KILLS = 3, 5
BEGUN = """
    SELECT m.id FROM replays_match m JOIN replays_stream s ON s.id = 'match/' || m.id
    WHERE m.status = 'playing' AND s.length BETWEEN 1 AND 60
"""
LENGTH = "SELECT length FROM replays_stream WHERE id = 'match/' || %s"


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    arena = Arena(
        prepare_league(tmp_path / "var", LeagueSize(bots=2, rounds=KILLS + 3, games=1)), FTK_LEASE_SECONDS=str(LEASE)
    )
    yield arena
    arena.process.terminate()
    arena.process.wait(STARTED)


def test_another_worker_resumes_the_match_of_a_killed_worker_soon_after_the_lease_expires(
    figures: list[BenchmarkResult], arena: Arena
) -> None:
    waits: list[float] = []
    disturbed: list[str] = []
    with psycopg.connect(arena.wait_until_open().database, autocommit=True) as database:

        def begun() -> str | None:
            """Return a match in play whose worker was not killed yet."""
            return next((match for (match,) in database.execute(BEGUN) if match not in disturbed), None)

        def length(match: str) -> int:
            return next(number for (number,) in database.execute(LENGTH, [match]))

        for _ in range(KILLS):
            match = wait_for(begun, "a match is being played", STARTED)
            # kill the pool process, not its parent, which the supervisor restarts with growing delays
            os.kill(arena.forked("matches@")[0], signal.SIGKILL)
            killed, before = time.perf_counter(), length(match)
            wait_for(lambda match=match, before=before: length(match) > before, "play goes on", STARTED)
            waits.append(time.perf_counter() - killed)
            disturbed.append(match)
    ours, floor = median(waits), LEASE + 2.0
    name = f"from a worker's death to its match going on, s (at most {max(waits):.1f})"
    figures.append(BenchmarkResult(name, ours, floor, ours / floor, "lease + 2 s", "ratio <= 1"))
