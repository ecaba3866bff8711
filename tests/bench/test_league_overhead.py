"""Overhead of the workers: a league compared with the same matches played directly in the same sandbox."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

import psycopg
import pytest

from tests.support.arena import Arena
from tests.support.prepared_leagues import build_environment
from tests.support.waiting import wait_for
from tools.bench.worker_overhead import JOBS
from tools.bench.workload_speed_comparison import BenchmarkResult

WINDOWS = 3
SIZES = {"pig": (64, 3), "to_court_the_king": (16, 2)}
"""Numbers of bots and rounds by game. A match of To Court the King takes many times as long as a match of Pig."""
LASTED = """
SELECT count(*)::float8, extract(epoch FROM max(m.closed_at) - min(m.opened_at))::float8 FROM replays_match AS m
JOIN tournaments_tablematch AS t ON t.match_id = m.id JOIN tournaments_league AS l ON l.id = t.league_id
WHERE l.slug = %s
"""
CLOSED = "SELECT 1 FROM tournaments_league WHERE status = 'closed' AND slug = %s"
UNREVIEWED = {"FTK_REVIEWS_DAY_SECONDS": "0"}
"""Settings without automatic reviews, which would compete with the next measurement."""


def run_worker_overhead(arena: Arena, *words: str) -> str:
    """Return the output of the other program, which uses the arena's database."""
    command = [sys.executable, "-m", "tools.bench.worker_overhead", *words]
    env = build_environment(arena.var, DATABASE_URL=arena.database)
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


def league(arena: Arena, game: str, slug: str) -> tuple[float, float]:
    """Return the matches per second of a league with the ends of its rounds, and of its matches played directly."""
    run_worker_overhead(arena, "league", game, slug, *map(str, SIZES[game]))
    # one connection, because opening one costs half as much as a match
    with psycopg.connect(arena.database, autocommit=True) as database:
        wait_for(lambda: database.execute(CLOSED, [slug]).fetchone(), "the league is closed", 300)
        matches, seconds = database.execute(LASTED, [slug]).fetchall()[0]
    return matches / seconds, matches / float(run_worker_overhead(arena, "straight", slug))


@pytest.mark.parametrize("game", SIZES)
def test_the_match_rate_of_a_league_is_compared_with_sandboxed_bots_playing_without_a_server(
    game: str, figures: list[BenchmarkResult], tmp_path: Path
) -> None:
    arena = Arena(tmp_path / "var", "--workers", str(JOBS), **UNREVIEWED).wait_until_open()
    try:
        league(arena, game, "warm")  # warm up, because direct play also starts with processes that have played before
        pairs = [league(arena, game, f"way{number}") for number in range(WINDOWS)]
    finally:
        arena.process.terminate()
        arena.process.wait(60)
        arena.wait_until_gone()
    ratios = sorted(ours / floor for ours, floor in pairs)
    ours, floor = (median(column) for column in zip(*pairs, strict=True))
    name = f"{game}, {SIZES[game][0]} bots through {JOBS} workers, matches/s ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    figures.append(BenchmarkResult(name, ours, floor, median(ratios), "straight on in the same cage", ">= 0.9"))
