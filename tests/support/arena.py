"""A running arena for end-to-end tests, and the processes that belong to it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from deploy.config.database_address import url_of
from tests.support.waiting import wait_for

FRESH = ("DATABASE_POOL", "DATABASE_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE")
"""Environment variables of the test process that an arena must not inherit."""
STARTED = 180.0
"""Seconds within which an arena must start or stop."""
QUICK = {"FTK_LEASE_SECONDS": "3", "FTK_REVIEWS_PLAYOUTS": "2"}
"""Settings that shorten waiting: for the lease of a match, and for the reviews that a league requests."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def parent_of(pid: int) -> int | None:
    """Return the process id of a process's parent, or None if the process is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


def children_of(pid: int) -> list[int]:
    """Return the ids of a process's children."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Arena:
    """A process of ``manage.py up`` with a data folder and a port of its own.

    `words` are further arguments, `folder` is the source tree (by default the current folder), `prefix` is a command
    that starts the process, and `more` are environment variables.
    """

    def __init__(
        self, var: Path, *words: str, folder: Path | None = None, prefix: Sequence[str] = (), **more: str
    ) -> None:
        self.var, self.port = var, free_port()
        self.out = var.with_name(f"out-{self.port}.txt")
        env = {name: value for name, value in os.environ.items() if name not in FRESH}
        with self.out.open("w") as out:
            self.process = subprocess.Popen(
                [*prefix, sys.executable, "manage.py", "up", "--port", str(self.port), "--workers", "1", *words],
                env={**env, "FTK_VAR": str(var), **QUICK, **more},
                cwd=folder,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    @property
    def database(self) -> str:
        """The database's URL."""
        return url_of(self.var / "postgres")

    def answers(self) -> bool:
        """Return True if the web server serves a page."""
        with urlopen(f"http://127.0.0.1:{self.port}/api/v1/schema/", timeout=20) as response:
            return bool(response.status == 200)

    def read_output(self) -> str:
        return self.out.read_text()

    def wait_until_open(self) -> Arena:
        wait_for(lambda: "is open at" in self.read_output() or self.process.poll() is not None, "an answer", STARTED)
        assert self.process.poll() is None, self.read_output()
        return self

    def processes(self, word: str = "") -> list[int]:
        """Return the ids of this arena's processes whose command line contains a word, without zombies."""
        mark, found = os.fsencode(f"FTK_VAR={self.var}"), []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                words = (folder / "environ").read_bytes().split(b"\0")
                command = (folder / "cmdline").read_bytes()
                if mark in words and command and word.encode() in command:
                    found.append(int(folder.name))
        return found

    def started(self, word: str) -> list[int]:
        """Return the processes in `processes(word)` whose parent is not among them.

        Process ids would not tell which process is the parent, because they wrap around.
        """
        found = self.processes(word)
        return [pid for pid in found if parent_of(pid) not in found]

    def forked(self, word: str) -> list[int]:
        """Return the processes in `processes(word)` whose parent is among them."""
        found = self.processes(word)
        return [pid for pid in found if parent_of(pid) in found]

    def wait_until_gone(self) -> None:
        wait_for(lambda: not self.processes(), f"nothing is left; there is {self.processes()}")
