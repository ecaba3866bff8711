"""A league that waits for workers, in a folder that can be copied: the same secret, bots and keys for every copy."""

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

from deploy.supervisor import embedded
from ftk_core.log import Page, check_chain
from tests.support.arena import FRESH

OPEN = """
import sys
import django
django.setup()
from django.core.management import call_command
from ftk_core.kit.house import house_bots
from tests.support.factories import CLOCK, active_version
from tournaments import services
from tournaments.signing import signer
from tournaments.terms import Terms

seats, rounds, games, pace, *sources = sys.argv[1:]
call_command("migrate", verbosity=0)
terms = Terms(
    slug="night", name="Night", game="pig", seats=int(seats), rounds=int(rounds), games=int(games), clock=CLOCK,
    pace_ms=int(pace),
)
league = services.open_league(terms)
for number, source in enumerate(sources):
    services.enter_bot(league.pk, active_version(source, slug=f"b{number}"))
services.start(league.pk)
signer()
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
"""A bot of Pig that thinks for a while and then follows a draw that is the same in every playing."""


class Kept(Protocol):
    """Whatever has a database of its own: an arena on one machine, or a fleet's."""

    @property
    def database(self) -> str:
        """Where it is reached."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How long a league is."""

    bots: int = 4
    rounds: int = 1
    games: int = 2
    seconds: float = 0.02
    """Of computing for each choice."""
    pace_ms: int = 0
    """Between two choices, for those who watch."""

    @property
    def matches(self) -> int:
        """How many are played; two sit at a table."""
        return self.bots // 2 * self.rounds * self.games


def environment(var: Path, **more: str) -> dict[str, str]:
    """Return what a process of the arena in a folder is told."""
    kept = {name: value for name, value in os.environ.items() if name not in FRESH}
    return {**kept, "FTK_VAR": str(var), "DJANGO_SETTINGS_MODULE": "deploy.settings", **more}


def prepared(var: Path, size: Size) -> Path:
    """Make a folder with a league whose first round is paired and of which nothing is played."""
    sources = [THINKER.format(seconds=size.seconds, number=n, daring=n % 4 + 1) for n in range(size.bots)]
    server = embedded.start(var / "postgres")
    try:
        command = [sys.executable, "-c", OPEN, "2", str(size.rounds), str(size.games), str(size.pace_ms), *sources]
        made = subprocess.run(command, env=environment(var), capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
    finally:
        server.stop()
    return var


def copied(var: Path, to: Path) -> Path:
    """Return a copy of a folder that no server uses."""
    shutil.copytree(var, to, symlinks=True)
    (to / "postgres").chmod(0o700)
    return to


def ended(arena: Kept) -> bool:
    """Tell whether the league is closed; not known while the database is down."""
    return bool(asked(arena, "SELECT 1 FROM tournaments_league WHERE status = 'closed'"))


def asked(arena: Kept, question: str) -> list[tuple[Any, ...]]:
    """Return what the arena's database answers; nothing while it is down or has no tables yet."""
    try:
        with psycopg.connect(arena.database, connect_timeout=5) as connection:
            return connection.execute(question.encode()).fetchall()
    except (psycopg.OperationalError, psycopg.errors.UndefinedTable):
        return []


def entries(arena: Kept) -> int:
    """Return how many entries all matches have; -1 while nobody can say."""
    rows = asked(arena, "SELECT coalesce(sum(length), 0)::int FROM replays_stream WHERE id LIKE 'match/%'")
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
# without reviews, which are reckoned when there is time, and whose tests are their own
PAGES = "SELECT stream_id, first, last, body, head FROM replays_page WHERE stream_id NOT LIKE 'review/%' ORDER BY 1, 2"
HEADS = "SELECT id, length, head FROM replays_stream WHERE id NOT LIKE 'review/%'"
TIMED = re.compile(rb'"(?:root|after|signature)":"[0-9a-f]+"|"at":\d+')
"""Signatures, which depend on the order of results, and times."""


def outcome(arena: Kept) -> dict[str, Any]:
    """Return everything that must not depend on who was killed; a match goes by its place, not by its name."""
    tables = asked(arena, TABLES)
    names = {row[3]: "/".join(map(str, row[:3])) for row in tables}
    logs = {stream: b"".join(page.body for page in pages) for stream, pages in streams(arena).items()}
    for match, name in names.items():
        logs = {key.replace(match, name): body.replace(match.encode(), name.encode()) for key, body in logs.items()}
    return {
        "standings": asked(arena, STANDINGS),
        "ratings": asked(arena, RATINGS),
        "tables": [row[:3] + row[4:] for row in tables],
        "logs": {stream: _in_any_order(stream, body) for stream, body in logs.items()},
    }


def streams(arena: Kept) -> dict[str, list[Page]]:
    """Return the pages of every stream; raises BrokenChain for a gap, a duplicate or a change."""
    found: dict[str, list[Page]] = {stream: [] for stream, *_ in asked(arena, HEADS)}
    for stream, *page in asked(arena, PAGES):
        found[stream].append(Page(*page))
    for stream, length, head in asked(arena, HEADS):
        last = [*check_chain(iter(found[stream]))][-1]
        assert (last.last + 1, last.head) == (length, head), stream
    return found


def _in_any_order(stream: str, body: bytes) -> bytes | list[bytes]:
    """Let a league record its results as they come in, under signatures that say so; all else has one order."""
    return sorted(TIMED.sub(b"", body).splitlines()) if stream.startswith("tournament/") else body
