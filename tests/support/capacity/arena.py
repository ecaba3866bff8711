"""An arena that is measured: leagues in it, and what they cost."""

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

from deploy.supervisor import embedded
from tests.support.arena import Arena
from tests.support.capacity.counted import counted
from tests.support.capacity.spent import grown, machine, spent
from tests.support.prepared import asked, environment
from tests.support.waiting import until, wait_for

PATIENCE, LOOKS = 900.0, 0.3
OVER = "SELECT 1 FROM tournaments_league WHERE status = 'closed' AND slug = '{slug}'"
RESTED = "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM replays_review WHERE status IN ('waiting', 'running'))"
UNLIMITED = {f"FTK_GATE_{word}": "100000" for word in ("SOCKETS_EACH", "CONNECTIONS_EACH", "CONNECTIONS")}
"""All who watch are at one address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A league of bots of the house."""

    slug: str
    game: str
    seats: int
    bots: int
    rounds: int
    games: int = 1
    pace_ms: int = 0

    @property
    def a_round(self) -> int:
        """How many matches a round has."""
        return self.bots // self.seats * self.games


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What happened in an arena for a while."""

    seconds: float
    processors: dict[str, float]
    """Seconds by role."""
    counts: dict[str, float]
    """What the database counted: commits, WAL and stored bytes, bells."""
    others: float
    """Seconds that the machine's processors worked for anybody else."""

    @property
    def disturbed(self) -> float:
        """The part of the machine's processors that others had."""
        return self.others / self.seconds / (os.cpu_count() or 1)


@contextmanager
def opened(folder: Path, workers: int, lease: int) -> Iterator[Arena]:
    """Run an arena with so many workers; it is stopped and gone when the block is left."""
    arena = Arena(folder, "--workers", str(workers), FTK_LEASE_SECONDS=str(lease), **UNLIMITED)
    try:
        yield arena.opened()
    finally:
        arena.process.terminate()
        arena.process.wait(60)
        arena.gone()


@contextmanager
def database_of(folder: Path) -> Iterator[embedded.Server]:
    """Run the database of an arena that is stopped."""
    server = embedded.start(folder / "postgres")
    try:
        yield server
    finally:
        server.stop()


def told(var: Path, url: str, *words: str) -> str:
    """Return what another program prints that works on an arena's database; raises RuntimeError with its complaint."""
    env = environment(var, DATABASE_URL=url)
    done = subprocess.run([sys.executable, *words], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{words} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def begin(arena: Arena, shape: Shape) -> None:
    """Open a league and start it."""
    numbers = (shape.seats, shape.bots, shape.rounds, shape.games, shape.pace_ms)
    words = ("open", shape.slug, shape.game, *map(str, numbers))
    told(arena.var, arena.database, "-m", "tests.support.capacity.leagues", *words)


def is_over(arena: Arena, shape: Shape) -> bool:
    """Tell whether a league is closed."""
    return bool(asked(arena, OVER.format(slug=shape.slug)))


def until_over(arena: Arena, shape: Shape) -> None:
    """Return once a league is closed."""
    _awaited(arena, OVER.format(slug=shape.slug), f"the end of {shape.slug}")


def until_rested(arena: Arena) -> None:
    """Return once the reviews are over that leagues ask for at their ends; they would take of what is measured next."""
    _awaited(arena, RESTED, "the end of the reviews")


def _awaited(arena: Arena, question: str, what: str) -> None:
    """Ask over one connection, and seldom: to open one costs the database as much as a match does."""
    with psycopg.connect(arena.database, autocommit=True) as database:
        wait_for(lambda: until(monotonic() + LOOKS) or database.execute(question.encode()).fetchone(), what, PATIENCE)


def play(arena: Arena, shape: Shape) -> None:
    """Play a league to its end."""
    begin(arena, shape)
    until_over(arena, shape)


@contextmanager
def windowed(arena: Arena) -> Iterator[list[Window]]:
    """Yield a list in which lies, when the block is left, what happened meanwhile; begins once the arena rests."""
    until_rested(arena)
    root, found, started = arena.process.pid, list[Window](), monotonic()
    before = spent(root), counted(arena.database), machine(), _own()
    yield found
    processors = grown(before[0], spent(root))
    found.append(
        Window(
            seconds=monotonic() - started,
            processors=processors,
            counts=grown(before[1], counted(arena.database)),
            others=max(0.0, machine() - before[2] - sum(processors.values()) - (_own() - before[3])),
        )
    )


def _own() -> float:
    """Return what this process and those that it has waited for spent, among them who opens leagues."""
    return sum(os.times()[:4])
