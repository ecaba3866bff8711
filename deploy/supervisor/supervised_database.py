"""The embedded PostgreSQL under the supervisor: when it dies it is started again, a bounded number of times."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from deploy.supervisor import embedded
from deploy.supervisor.processes import LONGEST_PAUSE_SECONDS, STEADY_SECONDS, pause_after

FULL_BYTES = 64 * 1024 * 1024
"""Less room than that is too little for the server's write-ahead log, of which a file has 16 MiB."""
ROOM_SECONDS = 2.0
"""How often a server that ended on a full disk is started again: that says nothing of the server itself."""
MOST_DEATHS = 10
"""How many failures in a row, none long after the start before it, make us give the server up."""


class SupervisedDatabase:
    """A server of our own that is always to be there."""

    def __init__(self, folder: Path, say: Callable[[str], object]) -> None:
        """Start it; raises EmbeddedError."""
        self._folder, self._say = folder, say
        self._deaths, self._due, self._started = 0, 0.0, time.monotonic()
        self._lacks_room = False
        self._server: embedded.Server | None = embedded.start(folder)
        self.url = self._server.url

    def tend(self, now: float) -> float:
        """Start the server again if it has died and that is due; return how long nothing will be due.

        Raises EmbeddedError when it has died too often.
        """
        if self._server and (code := self._server.process.poll()) is not None:
            self._server.stop()  # clears up behind it, and lets go of the folder
            self._server = None
            self._mourn(f"PostgreSQL ended ({code})", now)
        if self._server is None and self._due <= now:
            self._start_again(now)
        return LONGEST_PAUSE_SECONDS if self._server else max(0.0, self._due - now)

    def stop(self) -> None:
        """Shut the server down, if it runs."""
        if self._server:
            self._server.stop()

    def _start_again(self, now: float) -> None:
        self._started = now
        try:
            self._server = embedded.start(self._folder)
        except embedded.EmbeddedError as error:
            # what is left of the old server may hold its memory a moment longer; the last line says most
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
        """Try again soon and for ever: nothing is lost, and whoever makes room wants the pages back at once."""
        self._deaths, self._due = 0, now + ROOM_SECONDS
        if not self._lacks_room:
            self._say(f"{what}: the disk of {self._folder} is full; it starts again once there is room")
        self._lacks_room = True
