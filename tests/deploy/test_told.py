"""A whole arena tells a program what happens in it: clock, sweeper, bell, courier, each in its own process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg

from notices.signing import new_secret
from tests.support.arena import FRESH, Arena
from tests.support.receiver import receiving
from tests.support.waiting import wait_for

PERSON = """
INSERT INTO auth_user (username, password, email, first_name, last_name, is_active, is_staff, is_superuser, date_joined)
VALUES ('ada', '!', '', '', '', true, false, false, now()) RETURNING id
"""
ENDPOINT = """
INSERT INTO notices_endpoint (owner_id, url, kinds, secret, old_secret, made_at, sequence, disabled_why, failures)
VALUES (%s, %s, '{league.opened}', %s, '', now(), 0, '', 0)
"""


def test_a_league_that_is_opened_from_a_shell_is_told_to_a_program_and_so_is_one_after_its_worker_was_killed(
    tmp_path: Path,
) -> None:
    arena = Arena(tmp_path / "var", FTK_WEBHOOK_PRIVATE="1").opened()
    env = {name: value for name, value in os.environ.items() if name not in FRESH} | {"FTK_VAR": str(arena.var)}
    secret = new_secret()

    def open_league(slug: str) -> None:
        words = ["league", "open", slug, "pig", "--seats", "2", "--rounds", "1"]
        subprocess.run([sys.executable, "manage.py", *words], env=env, check=True, capture_output=True)

    try:
        with receiving() as receiver, psycopg.connect(arena.database, autocommit=True) as database:
            row = database.execute(PERSON).fetchone()
            assert row is not None
            database.execute(ENDPOINT, [row[0], receiver.url, secret])
            open_league("night")
            wait_for(lambda: len(receiver.arrived) >= 1, "the first league to be told", 60.0)
            for pid in arena.processes("outside@"):
                os.kill(pid, signal.SIGKILL)
            open_league("dawn")
            wait_for(lambda: len(receiver.arrived) >= 2, "the second league to be told", 120.0)
            told = [(payload["sequence"], payload["data"]["league"]) for payload in receiver.read(secret)]
        assert told == [(1, "night"), (2, "dawn")]
    finally:
        arena.process.terminate()
        arena.process.wait(30)
        arena.gone()
