"""Embedded PostgreSQL server that is restarted when it dies."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from deploy.supervisor import embedded_postgres
from deploy.supervisor.child_process_start_and_stop import MAX_PAUSE_SECONDS, STEADY_SECONDS, restart_pause
from deploy.supervisor.postgres_binaries import EmbeddedPostgresError

DISK_FULL_BYTES = 64 * 1024 * 1024
"""Free space below which the disk counts as full; the files of the write-ahead log have 16 MiB each."""
DISK_RETRY_SECONDS = 2.0
"""Interval of restarts while the disk is full; these do not count as failures of the server."""
MAX_DEATHS = 10
"""Number of failures in a row, each within STEADY_SECONDS of a start, after which the server is given up."""


class PostgresSupervisor:
    """An embedded PostgreSQL server that is restarted after its death."""

    def __init__(self, folder: Path, say: Callable[[str], object]) -> None:
        """Start the server of a data folder; `say` gets a message about each death. Raises EmbeddedPostgresError."""
        self._folder, self._say = folder, say
        self._deaths, self._due, self._started = 0, 0.0, time.monotonic()
        self._lacks_room = False
        self._server: embedded_postgres.EmbeddedPostgres | None = embedded_postgres.start_server(folder)
        self.url = self._server.url

    def restart_due(self, now: float) -> float:
        """Restart a dead server after a pause. Return the seconds until the next call.

        Raises EmbeddedPostgresError when the server has died too often.
        """
        if self._server and (code := self._server.process.poll()) is not None:
            self._server.stop()  # removes its socket folder and releases the lock on the data folder
            self._server = None
            self._handle_death(f"PostgreSQL ended ({code})", now)
        if self._server is None and self._due <= now:
            self._restart(now)
        return MAX_PAUSE_SECONDS if self._server else max(0.0, self._due - now)

    def stop(self) -> None:
        """Shut the server down if it is running. Later calls of `restart_due` do not restart it."""
        if self._server:
            self._server.stop()
        self._server, self._due = None, math.inf

    def _restart(self, now: float) -> None:
        self._started = now
        try:
            self._server = embedded_postgres.start_server(self._folder)
        except (EmbeddedPostgresError, OSError) as error:
            # the old server may hold its shared memory a moment longer, or no process can be forked; the error's last
            # line is the most specific
            self._handle_death(str(error).splitlines()[-1], now)
        else:
            self._lacks_room = False
            self._say("PostgreSQL is back; what was durable is there.")

    def _handle_death(self, what: str, now: float) -> None:
        if shutil.disk_usage(self._folder).free < DISK_FULL_BYTES:
            self._schedule_disk_retry(what, now)
            return
        self._deaths = 1 if now - self._started > STEADY_SECONDS else self._deaths + 1
        log = self._folder / "postgres.log"
        if self._deaths > MAX_DEATHS:
            raise EmbeddedPostgresError(f"{what}, {self._deaths} times in a row; see {log}")
        pause = restart_pause(self._deaths)
        self._due = now + pause
        self._say(f"{what}; it starts again in {pause:.0f} s; see {log}")

    def _schedule_disk_retry(self, what: str, now: float) -> None:
        """Schedule the restart of a server whose disk is full, and reset the count of deaths."""
        # So the retries never end.
        self._deaths, self._due = 0, now + DISK_RETRY_SECONDS
        if not self._lacks_room:
            self._say(f"{what}: the disk of {self._folder} is full; it starts again once there is room")
        self._lacks_room = True
