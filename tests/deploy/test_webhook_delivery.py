"""Webhooks of a whole arena: scheduler, sweeper, queue and delivery, each in its own process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg

from notices.webhooks.webhook_signatures import make_secret
from tests.support.arena import FRESH, Arena
from tests.support.receiver import run_receiver
from tests.support.waiting import wait_for

PERSON = """
INSERT INTO auth_user (username, password, email, first_name, last_name, is_active, is_staff, is_superuser, date_joined)
VALUES ('ada', '!', '', '', '', true, false, false, now()) RETURNING id
"""
ENDPOINT = """
INSERT INTO notices_endpoint (owner_id, url, kinds, secret, old_secret, made_at, sequence, disabled_why, failures)
VALUES (%s, %s, '{league.opened}', %s, '', now(), 0, '', 0)
"""


def test_webhooks_report_a_league_opened_from_the_shell_even_after_the_workers_were_killed(tmp_path: Path) -> None:
    arena = Arena(tmp_path / "var", FTK_WEBHOOK_PRIVATE="1").wait_until_open()
    env = {name: value for name, value in os.environ.items() if name not in FRESH} | {"FTK_VAR": str(arena.var)}
    secret = make_secret()

    def open_league(slug: str) -> None:
        words = ["league", "open", slug, "pig", "--seats", "2", "--rounds", "1"]
        subprocess.run([sys.executable, "manage.py", *words], env=env, check=True, capture_output=True)

    try:
        with run_receiver() as receiver, psycopg.connect(arena.database, autocommit=True) as database:
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
        arena.wait_until_gone()
