"""Start and measurement of one complete site with web server, workers and database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import psycopg

from deploy.supervisor import embedded_postgres
from tests.support.arena import Arena
from tests.support.prepared_leagues import build_environment, query_database
from tests.support.waiting import until, wait_for
from tools.capacity.database_activity_measurement import read_counters
from tools.capacity.process_cpu_time import compute_growth, read_machine_seconds, read_processor_seconds

PATIENCE, LOOKS = 900.0, 0.3
OVER = "SELECT 1 FROM tournaments_league WHERE status = 'closed' AND slug = '{slug}'"
RESTED = "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM replays_review WHERE status IN ('waiting', 'running'))"
UNLIMITED = {f"FTK_GATE_{word}": "100000" for word in ("SOCKETS_EACH", "CONNECTIONS_EACH", "CONNECTIONS")}
"""Environment that lifts the limits per client address, because all test clients share one address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLeagueSettings:
    """Size and pace of a test league of built-in bots."""

    slug: str
    game: str
    seats: int
    bots: int
    rounds: int
    games: int = 1
    pace_ms: int = 0

    @property
    def a_round(self) -> int:
        """Number of matches in a round of the league."""
        return self.bots // self.seats * self.games


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaMeasurement:
    """Processor time and database counters of a site during one measurement."""

    seconds: float
    processors: dict[str, float]
    """Processor seconds by role (kind of process)."""
    counts: dict[str, float]
    """Growth of the database's counters: commits, bytes of WAL, stored bytes, messages of the broker (``bells``)."""
    others: float
    """Processor seconds that other programs on the machine used."""

    @property
    def disturbed(self) -> float:
        """Share (0 to 1) of the machine's processor time that programs outside the site used during the measurement."""
        return self.others / self.seconds / (os.cpu_count() or 1)


@contextmanager
def run_arena(folder: Path, workers: int, lease: int) -> Iterator[Arena]:
    """Run a site with `workers` match workers during the `with` block.

    `lease` is the time in seconds after which another worker may take a crashed worker's match.
    """
    arena = Arena(folder, "--workers", str(workers), FTK_LEASE_SECONDS=str(lease), **UNLIMITED)
    try:
        yield arena.wait_until_open()
    finally:
        arena.process.terminate()
        arena.process.wait(60)
        arena.wait_until_gone()


@contextmanager
def run_database(folder: Path) -> Iterator[embedded_postgres.EmbeddedPostgres]:
    """Run the PostgreSQL server of a stopped site, without its other processes, during the `with` block."""
    server = embedded_postgres.start_server(folder / "postgres")
    try:
        yield server
    finally:
        server.stop()


def run_program(var: Path, url: str, *words: str) -> str:
    """Run a Python program on a site's database and return its output; raises RuntimeError if it fails."""
    env = build_environment(var, DATABASE_URL=url)
    done = subprocess.run([sys.executable, *words], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{words} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def start_league(arena: Arena, shape: MeasuredLeagueSettings) -> None:
    """Open and start a league with the settings `shape`."""
    numbers = (shape.seats, shape.bots, shape.rounds, shape.games, shape.pace_ms)
    words = ("open", shape.slug, shape.game, *map(str, numbers))
    run_program(arena.var, arena.database, "-m", "tools.capacity.league_cost_measurement", *words)


def is_over(arena: Arena, shape: MeasuredLeagueSettings) -> bool:
    """Return True if a league is closed. `shape` has the league's settings."""
    return bool(query_database(arena, OVER.format(slug=shape.slug)))


def wait_until_closed(arena: Arena, shape: MeasuredLeagueSettings) -> None:
    """Wait until the league with the settings `shape` is closed."""
    _awaited(arena, OVER.format(slug=shape.slug), f"the end of {shape.slug}")


def wait_until_idle(arena: Arena) -> None:
    """Wait until all analyses of finished matches are done."""
    # Leagues request these reviews, which would distort measurements.
    _awaited(arena, RESTED, "the end of the reviews")


def _awaited(arena: Arena, question: str, what: str) -> None:
    """Poll the database until a query returns a row. Raises AssertionError after PATIENCE seconds."""
    # All polls use one connection, because a new connection costs the database as much as a match.
    with psycopg.connect(arena.database, autocommit=True) as database:
        wait_for(lambda: until(monotonic() + LOOKS) or database.execute(question.encode()).fetchone(), what, PATIENCE)


def play_league(arena: Arena, shape: MeasuredLeagueSettings) -> None:
    """Open and start a league with the settings `shape`, and wait until it is closed."""
    start_league(arena, shape)
    wait_until_closed(arena, shape)


@contextmanager
def measure_window(arena: Arena) -> Iterator[list[ArenaMeasurement]]:
    """Wait until the site is idle, then measure it during the `with` block.

    The block gets an empty list. The measurement is added to the list at the end of the block.
    """
    wait_until_idle(arena)
    root, found, started = arena.process.pid, list[ArenaMeasurement](), monotonic()
    before = read_processor_seconds(root), read_counters(arena.database), read_machine_seconds(), _own()
    yield found
    processors = compute_growth(before[0], read_processor_seconds(root))
    found.append(
        ArenaMeasurement(
            seconds=monotonic() - started,
            processors=processors,
            counts=compute_growth(before[1], read_counters(arena.database)),
            others=max(0.0, read_machine_seconds() - before[2] - sum(processors.values()) - (_own() - before[3])),
        )
    )


def _own() -> float:
    """Return the processor seconds of this measuring process and its ended children."""
    return sum(os.times()[:4])
