"""Sender of PostgreSQL notifications, with one connection per process, usable from any thread."""

from __future__ import annotations

import os
import threading
import weakref

import psycopg
import structlog

log = structlog.get_logger(__name__)
CHANNEL = "ftk_pokes"
LIMIT_BYTES = 7_999
"""Maximum payload of PostgreSQL's NOTIFY."""
Connection = psycopg.Connection[tuple[object, ...]]


class PostgresPublisher:
    """Sender of PostgreSQL notifications to all processes of the site."""

    # It has its own database connection: a NOTIFY in the caller's transaction would make its commit wait for a global
    # lock.

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._lock = threading.Lock()
        self._connections: dict[int, Connection] = {}
        """Connections by process id, because a forked process must not use its parent's connection."""
        weakref.finalize(self, _close_own, self._connections)

    def publish(self, note: str) -> None:
        """Send a notification. If the database is unreachable, log and drop it.

        Raises ValueError if the notification is too large.
        """
        check_length(note)
        with self._lock:
            try:
                try:
                    self._notify(note)
                except psycopg.OperationalError:
                    self._notify(note)
            except psycopg.OperationalError as error:
                log.warning("notification_lost", reason=str(error).strip())

    def _notify(self, note: str) -> None:
        connection = self._connections.get(os.getpid())
        if connection is None or connection.closed:
            connection = psycopg.connect(self._conninfo, autocommit=True)
            self._connections[os.getpid()] = connection
        connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, note])


def check_length(note: str) -> None:
    """Raise ValueError for a notification longer than NOTIFY's limit."""
    if len(note.encode()) > LIMIT_BYTES:
        raise ValueError(f"a notification has at most {LIMIT_BYTES} bytes (got {len(note.encode())}): {note[:80]!r}")


def _close_own(connections: dict[int, Connection]) -> None:
    """Close the connection of this process. A connection inherited from the parent stays open for the parent."""
    connection = connections.get(os.getpid())
    if connection:
        connection.close()
