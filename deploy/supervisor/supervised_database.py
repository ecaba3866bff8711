"""Embedded PostgreSQL under the supervisor: restarted after its death, a bounded number of times."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from deploy.supervisor import embedded
from deploy.supervisor.processes import LONGEST_PAUSE_SECONDS, STEADY_SECONDS, pause_after

FULL_BYTES = 64 * 1024 * 1024
"""Minimum free space for the server's write-ahead log, whose files have 16 MiB."""
ROOM_SECONDS = 2.0
"""Interval of restarts on a full disk, which does not count as a failure of the server."""
MOST_DEATHS = 10
"""Number of failures in a row, each soon after a start, after which the server is given up."""


class SupervisedDatabase:
    """An embedded server that must always run."""

    def __init__(self, folder: Path, say: Callable[[str], object]) -> None:
        """Start it; raises EmbeddedError."""
        self._folder, self._say = folder, say
        self._deaths, self._due, self._started = 0, 0.0, time.monotonic()
        self._lacks_room = False
        self._server: embedded.Server | None = embedded.start(folder)
        self.url = self._server.url

    def tend(self, now: float) -> float:
        """Restart a dead server if that is due; return the seconds until something is due.

        Raises EmbeddedError when it has died too often.
        """
        if self._server and (code := self._server.process.poll()) is not None:
            self._server.stop()  # cleans up after it and releases the folder
            self._server = None
            self._mourn(f"PostgreSQL ended ({code})", now)
        if self._server is None and self._due <= now:
            self._start_again(now)
        return LONGEST_PAUSE_SECONDS if self._server else max(0.0, self._due - now)

    def stop(self) -> None:
        """Shut the server down if it runs."""
        if self._server:
            self._server.stop()

    def _start_again(self, now: float) -> None:
        self._started = now
        try:
            self._server = embedded.start(self._folder)
        except embedded.EmbeddedError as error:
            # the old server may hold its memory a moment longer; the last line of the error is the most specific
            self._mourn(str(error).splitlines()[-1], now)
        else:
            self._lacks_room = False
            self._say("PostgreSQL is back; what was durable is there.")

    def _mourn(self, what: str, now: float) -> None:
        if shutil.disk_usage(self._folder).free < FULL_BYTES:
            self._wait_for_room(what, now)
            return
        self._deaths = 1 if now - self._started > STEADY_SECONDS else self._deaths + 1
        log = self._folder / "postgres.log"
        if self._deaths > MOST_DEATHS:
            raise embedded.EmbeddedError(f"{what}, {self._deaths} times in a row; see {log}")
        pause = pause_after(self._deaths)
        self._due = now + pause
        self._say(f"{what}; it starts again in {pause:.0f} s; see {log}")

    def _wait_for_room(self, what: str, now: float) -> None:
        """Retry soon and forever: nothing is lost, and the site should return as soon as space is free."""
        self._deaths, self._due = 0, now + ROOM_SECONDS
        if not self._lacks_room:
            self._say(f"{what}: the disk of {self._folder} is full; it starts again once there is room")
        self._lacks_room = True
