"""What the way through the workers costs: a league beside the same matches played straight on, in the same cage."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

import psycopg
import pytest

from tests.support.arena import Arena
from tests.support.bench.way import BOTS, JOBS
from tests.support.bench.windows import Figure
from tests.support.prepared import environment
from tests.support.waiting import wait_for

ROUNDS, WINDOWS = 6, 3
GAMES = ("pig", "to_court_the_king")
"""Of matches of a tenth of a second, and of half a second."""
LASTED = """
SELECT count(*)::float8, extract(epoch FROM max(m.closed_at) - min(m.opened_at))::float8 FROM replays_match AS m
JOIN tournaments_tablematch AS t ON t.match_id = m.id JOIN tournaments_league AS l ON l.id = t.league_id
WHERE l.slug = %s
"""
CLOSED = "SELECT 1 FROM tournaments_league WHERE status = 'closed' AND slug = %s"
UNREVIEWED = {"FTK_REVIEWS_DAY_SECONDS": "0"}
"""What a league asks for behind its end waits: it would take of the next one's time, or of the floor's."""


def told(arena: Arena, *words: str) -> str:
    """Return what the other program prints, which works beside the arena."""
    command = [sys.executable, "-m", "tests.support.bench.way", *words]
    env = environment(arena.var, DATABASE_URL=arena.database)
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


def league(arena: Arena, game: str, slug: str) -> tuple[float, float]:
    """Return the matches a second of a league, the ends of its rounds included, and of the same ones straight on."""
    told(arena, "league", game, slug, str(ROUNDS))
    with psycopg.connect(arena.database, autocommit=True) as database:  # one: to open one costs half as much as a match
        wait_for(lambda: database.execute(CLOSED, [slug]).fetchone(), "the league is closed", 300)
        matches, seconds = database.execute(LASTED, [slug]).fetchall()[0]
    return matches / seconds, matches / float(told(arena, "straight", slug))


@pytest.mark.parametrize("game", GAMES)
def test_matches_a_second_of_a_league_and_of_the_same_ones_played_straight_on(
    game: str, figures: list[Figure], tmp_path: Path
) -> None:
    arena = Arena(tmp_path / "var", "--workers", str(JOBS), **UNREVIEWED).opened()
    try:
        league(arena, game, "warm")  # what is played straight on begins with processes that have played, too
        pairs = [league(arena, game, f"way{number}") for number in range(WINDOWS)]
    finally:
        arena.process.terminate()
        arena.process.wait(60)
        arena.gone()
    ratios = sorted(ours / floor for ours, floor in pairs)
    ours, floor = (median(column) for column in zip(*pairs, strict=True))
    name = f"{game}, {BOTS} bots through {JOBS} workers, matches/s ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    figures.append(Figure(name, ours, floor, median(ratios), "straight on in the same cage", ">= 0.9"))
