"""A prepared league in a folder that can be copied: each copy has the same secret, bots and keys."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import psycopg

from deploy.supervisor import embedded_postgres
from ftk_core.hash_chained_log import LogPage, check_chain
from tests.support.arena import FRESH

OPEN = """
import sys
import django
django.setup()
from django.core.management import call_command
from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.factories import CLOCK, create_active_version
from tournaments.leagues import services
from tournaments.league_log_signing_key import load_signer
from tournaments.leagues.league_settings import LeagueSettings

seats, rounds, games, pace, *sources = sys.argv[1:]
call_command("migrate", verbosity=0)
terms = LeagueSettings(
    slug="night", name="Night", game="pig", seats=int(seats), rounds=int(rounds), games=int(games), clock=CLOCK,
    pace_ms=int(pace),
)
league = services.open_league(terms)
for number, source in enumerate(sources):
    services.enter_bot(league.pk, create_active_version(source, slug=f"b{number}"))
services.start(league.pk)
load_signer()
"""
THINKER = """
import json
import time
from random import Random
from ftk_core.kit.bot import run
def choose(ask):
    end = time.process_time() + {seconds}
    while time.process_time() < end:
        pass
    draw = Random(json.dumps([{number}, ask.seat, ask.id, ask.view], sort_keys=True))
    return draw.choice([0, *[len(ask.menu) - 1] * {daring}])
run(choose)
"""
"""A bot of Pig that computes for a while and then chooses at random, but equally each time that a match is played."""


class HasDatabase(Protocol):
    """Interface of an arena that has a database, on one machine or on several."""

    @property
    def database(self) -> str:
        """The database's URL."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSize:
    """Size of a league."""

    bots: int = 4
    rounds: int = 1
    games: int = 2
    seconds: float = 0.02
    """Processor time of each choice."""
    pace_ms: int = 0
    """Minimum time between two choices."""

    @property
    def matches(self) -> int:
        """Number of matches, at tables of two."""
        return self.bots // 2 * self.rounds * self.games


def build_environment(var: Path, **more: str) -> dict[str, str]:
    """Return the environment variables of the processes of an arena in a folder."""
    kept = {name: value for name, value in os.environ.items() if name not in FRESH}
    return {**kept, "FTK_VAR": str(var), "DJANGO_SETTINGS_MODULE": "deploy.settings", **more}


def prepare_league(var: Path, size: LeagueSize, release: Path | None = None) -> Path:
    """Create a folder with a league whose first round is paired and not yet played.

    `release` is the source tree that creates it, by default the current folder.
    """
    sources = [THINKER.format(seconds=size.seconds, number=n, daring=n % 4 + 1) for n in range(size.bots)]
    server = embedded_postgres.start_server(var / "postgres")
    try:
        command = [sys.executable, "-c", OPEN, "2", str(size.rounds), str(size.games), str(size.pace_ms), *sources]
        made = subprocess.run(
            command, cwd=release, env=build_environment(var), capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stderr
    finally:
        server.stop()
    return var


def copy_folder(var: Path, to: Path) -> Path:
    """Copy a folder that no server uses; return the copy."""
    shutil.copytree(var, to, symlinks=True)
    (to / "postgres").chmod(0o700)
    return to


def is_league_closed(arena: HasDatabase) -> bool:
    """Return True if the league is closed; False while the database is down."""
    return bool(query_database(arena, "SELECT 1 FROM tournaments_league WHERE status = 'closed'"))


def query_database(arena: HasDatabase, question: str) -> list[tuple[Any, ...]]:
    """Return the rows of an SQL query; an empty list while the database is down or has no tables yet."""
    try:
        with psycopg.connect(arena.database, connect_timeout=5) as connection:
            return connection.execute(question.encode()).fetchall()
    except (psycopg.OperationalError, psycopg.errors.UndefinedTable):
        return []


def count_entries(arena: HasDatabase) -> int:
    """Return the number of entries of all matches; -1 while the database is down."""
    rows = query_database(arena, "SELECT coalesce(sum(length), 0)::int FROM replays_stream WHERE id LIKE 'match/%'")
    return int(rows[0][0]) if rows else -1


STANDINGS = """
    SELECT number, place, points, tiebreaks, played FROM tournaments_entrant ORDER BY number
"""
RATINGS = """
    SELECT b.slug, r.season, r.value, r.matches, r.wins, r.last_delta
    FROM tournaments_rating r JOIN bots_bot b ON b.id = r.bot_id ORDER BY 1, 2
"""
TABLES = """
    SELECT t.round, t.number, t.game, m.id, m.status, s.seat, s.version_id, s.place, s.score, s.excuses, s.faults
    FROM tournaments_tablematch t JOIN replays_match m ON m.id = t.match_id
    JOIN replays_matchseat s ON s.match_id = m.id
    ORDER BY t.round, t.number, t.game, s.seat
"""
# without reviews, which are computed when there is time and have their own tests
PAGES = "SELECT stream_id, first, last, body, head FROM replays_page WHERE stream_id NOT LIKE 'review/%' ORDER BY 1, 2"
HEADS = "SELECT id, length, head FROM replays_stream WHERE id NOT LIKE 'review/%'"
TIMED = re.compile(rb'"(?:root|after|signature)":"[0-9a-f]+"|"at":\d+')
"""Signatures, which depend on the order of results, and times."""


def read_outcome(arena: HasDatabase) -> dict[str, Any]:
    """Return everything that must not depend on killed processes; matches are named by table, not by id."""
    tables = query_database(arena, TABLES)
    names = {row[3]: "/".join(map(str, row[:3])) for row in tables}
    logs = {stream: b"".join(page.body for page in pages) for stream, pages in read_streams(arena).items()}
    for match, name in names.items():
        logs = {key.replace(match, name): body.replace(match.encode(), name.encode()) for key, body in logs.items()}
    return {
        "standings": query_database(arena, STANDINGS),
        "ratings": query_database(arena, RATINGS),
        "tables": [row[:3] + row[4:] for row in tables],
        "logs": {stream: _in_any_order(stream, body) for stream, body in logs.items()},
    }


def read_streams(arena: HasDatabase) -> dict[str, list[LogPage]]:
    """Return the pages of every stream; raises BrokenHashChainError for a gap, a duplicate or a change."""
    found: dict[str, list[LogPage]] = {stream: [] for stream, *_ in query_database(arena, HEADS)}
    for stream, *page in query_database(arena, PAGES):
        found[stream].append(LogPage(*page))
    for stream, length, head in query_database(arena, HEADS):
        last = [*check_chain(iter(found[stream]))][-1]
        assert (last.last + 1, last.head) == (length, head), stream
    return found


def _in_any_order(stream: str, body: bytes) -> bytes | list[bytes]:
    """Normalize the order in which a league recorded its results, and the signatures over them."""
    return sorted(TIMED.sub(b"", body).splitlines()) if stream.startswith("tournament/") else body
