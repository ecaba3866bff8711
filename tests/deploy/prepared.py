"""A league that is ready to start, in a folder that can be copied: the same secret, bots and keys for every copy."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from deploy import embedded
from deploy.address import url_of
from tests.deploy.arena import FRESH, Arena

OPEN = """
import sys
import django
django.setup()
from django.core.management import call_command
from ftk_core.kit.house import house_bots
from tests.factories import CLOCK, active_version
from tournaments import services

seats, rounds, games, *sources = sys.argv[1:]
call_command("migrate", verbosity=0)
terms = services.Terms("night", "Night", "pig", int(seats), int(rounds), int(games), clock=CLOCK)
league = services.open_league(terms)
for number, source in enumerate(sources):
    services.enter_bot(league.pk, active_version(source, slug=f"b{number}"))
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


@dataclass(frozen=True, slots=True)
class Size:
    """How long a league is."""

    bots: int = 4
    rounds: int = 1
    games: int = 2
    seconds: float = 0.02
    """Of computing for each choice."""

    @property
    def matches(self) -> int:
        """How many are played; two sit at a table."""
        return self.bots // 2 * self.rounds * self.games


def environment(var: Path, **more: str) -> dict[str, str]:
    """Return what a process of the arena in a folder is told."""
    kept = {name: value for name, value in os.environ.items() if name not in FRESH}
    return {**kept, "FTK_VAR": str(var), "DJANGO_SETTINGS_MODULE": "deploy.settings", **more}


def manage(var: Path, *words: str) -> str:
    """Run a management command on the running arena of a folder; return what it says."""
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, env=environment(var), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def prepared(var: Path, size: Size) -> Path:
    """Make a folder with a league that bots have entered and nobody has started."""
    sources = [THINKER.format(seconds=size.seconds, number=n, daring=n % 4 + 1) for n in range(size.bots)]
    server = embedded.start(var / "postgres")
    try:
        command = [sys.executable, "-c", OPEN, "2", str(size.rounds), str(size.games), *sources]
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


def ended(arena: Arena) -> bool:
    """Tell whether the league is closed; not known while the database is down."""
    return bool(asked(arena, "SELECT 1 FROM tournaments_tournament WHERE status = 'closed'"))


def asked(arena: Arena, question: str) -> list[tuple[Any, ...]]:
    """Return what the arena's database answers; nothing while it is down or has no tables yet."""
    try:
        with psycopg.connect(arena.database, connect_timeout=5) as connection:
            return connection.execute(question.encode()).fetchall()
    except (psycopg.OperationalError, psycopg.errors.UndefinedTable):
        return []


STANDINGS = "SELECT number, place, points, wins, opposition, quality, score, played FROM tournaments_entry ORDER BY number"
RATINGS = "SELECT b.slug, r.value, r.games, r.wins FROM tournaments_rating r JOIN bots_bot b ON b.id = r.bot_id ORDER BY 1"
TABLES = "SELECT round, number, game, match_id FROM tournaments_table ORDER BY 1, 2, 3"
LOG = "SELECT body FROM replays_page WHERE stream_id = 'match/{}' ORDER BY first"
FAULTS = "SELECT match_id, seat, faults, excuses FROM replays_matchseat WHERE excuses > 0 OR faults <> '{}'"


def outcome(arena: Arena) -> dict[str, Any]:
    """Return everything that must not depend on who was killed; matches go by their place, not by their name."""
    logs = {}
    for round_, table, game, match in asked(arena, TABLES):
        body = b"".join(row[0] for row in asked(arena, LOG.format(match)))
        logs[round_, table, game] = body.replace(match.encode(), b"THE-MATCH")
    return {"standings": asked(arena, STANDINGS), "ratings": asked(arena, RATINGS), "logs": logs, "faults": asked(arena, FAULTS)}
