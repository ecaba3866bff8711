"""A running arena, and the commands that an author and an organiser run in a shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg

from tests.support.arena import STARTED, Arena
from tests.support.prepared_leagues import build_environment


class Town:
    """An arena, and the commands of an author and an organiser in a shell."""

    def __init__(self, var: Path, **more: str) -> None:
        self.arena = Arena(var, **more)
        self.address = f"http://127.0.0.1:{self.arena.port}"

    def manage(self, *words: str) -> str:
        return self._run(["manage.py", *words], DATABASE_URL=self.arena.database)

    def ftk(self, *words: str, **more: str) -> str:
        return self._run(["-c", "from ftk_core.kit.cli import app; app()", *words], FTK_SERVER=self.address, **more)

    def _run(self, words: list[str], **more: str) -> str:
        command = [sys.executable, *words]
        done = subprocess.run(
            command, env=build_environment(self.arena.var, **more), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def is_rated(self, bot: str) -> bool:
        """Return True if a bot has a court rating; reads the database, which has no rate limit."""
        rating = "SELECT 1 FROM tournaments_courtrating AS row JOIN bots_bot AS bot ON bot.id = row.bot_id"
        with psycopg.connect(self.arena.database) as connection:
            return bool(connection.execute(f"{rating} WHERE bot.slug = %s".encode(), [bot]).fetchall())

    def close(self) -> None:
        """Stop the arena, and check that no process of it is left."""
        if self.arena.process.poll() is None:
            self.arena.process.terminate()
            self.arena.process.wait(STARTED)
        self.arena.wait_until_gone()
