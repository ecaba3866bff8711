"""One running arena, for tests that need everything: processes, database, web server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from deploy.address import url_of
from tests.support.waiting import wait_for

FRESH = ("DATABASE_POOL", "DATABASE_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE")
STARTED = 180.0
QUICK = {"FTK_LEASE_SECONDS": "3", "FTK_REVIEWS_PLAYOUTS": "2"}
"""What would last: until somebody else plays a match on, and the reviews that a league asks for by itself."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def parent_of(pid: int) -> int | None:
    """Return who started a process, or nobody's number if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


def children_of(pid: int) -> list[int]:
    """Return whom a process has started."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Arena:
    """One ``manage.py up`` with a folder and a port of its own, of the software in `folder`; `prefix` starts it."""

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
        """Where its database is reached."""
        return url_of(self.var / "postgres")

    def answers(self) -> bool:
        """Tell whether the web server serves a page."""
        with urlopen(f"http://127.0.0.1:{self.port}/api/v1/schema/", timeout=20) as response:
            return bool(response.status == 200)

    def said(self) -> str:
        return self.out.read_text()

    def opened(self) -> Arena:
        wait_for(lambda: "is open at" in self.said() or self.process.poll() is not None, "an answer", STARTED)
        assert self.process.poll() is None, self.said()
        return self

    def processes(self, word: str = "") -> list[int]:
        """Return whatever runs on this folder and has the word in its command; zombies do not run."""
        mark, found = os.fsencode(f"FTK_VAR={self.var}"), []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                words = (folder / "environ").read_bytes().split(b"\0")
                command = (folder / "cmdline").read_bytes()
                if mark in words and command and word.encode() in command:
                    found.append(int(folder.name))
        return found

    def started(self, word: str) -> list[int]:
        """Return those with the word that none of them started; numbers tell nothing, as they begin again at 32,768."""
        found = self.processes(word)
        return [pid for pid in found if parent_of(pid) not in found]

    def forked(self, word: str) -> list[int]:
        """Return those with the word that another of them started."""
        found = self.processes(word)
        return [pid for pid in found if parent_of(pid) in found]

    def gone(self) -> None:
        wait_for(lambda: not self.processes(), f"nothing is left; there is {self.processes()}")
