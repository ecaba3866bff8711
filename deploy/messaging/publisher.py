"""Sender of notifications: one connection per process, usable from any thread and event loop."""

from __future__ import annotations

import os
import threading
import weakref

import psycopg
import structlog

log = structlog.get_logger(__name__)
CHANNEL = "ftk_pokes"
LIMIT_BYTES = 7_999
"""Maximum payload of NOTIFY."""
Connection = psycopg.Connection[tuple[object, ...]]


class Publisher:
    """Sender of notifications to all listeners of the database.

    It never runs in a caller's transaction: that would make every commit queue for NOTIFY's one lock.
    """

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._lock = threading.Lock()
        self._connections: dict[int, Connection] = {}
        """Keyed by process, because a connection must not be used in a fork."""
        weakref.finalize(self, _close_own, self._connections)

    def say(self, note: str) -> None:
        """Notify, on a new connection if the old one broke; without a database, log and drop the notification."""
        check_length(note)
        with self._lock:
            try:
                try:
                    self._notify(note)
                except psycopg.OperationalError:
                    self._notify(note)
            except psycopg.OperationalError as error:
                log.warning("poke_lost", reason=str(error).strip())

    def _notify(self, note: str) -> None:
        connection = self._connections.get(os.getpid())
        if connection is None or connection.closed:
            connection = psycopg.connect(self._conninfo, autocommit=True)
            self._connections[os.getpid()] = connection
        connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, note])


def check_length(note: str) -> None:
    """Raise ValueError for a notification that is too large."""
    if len(note.encode()) > LIMIT_BYTES:
        raise ValueError(f"a poke has at most {LIMIT_BYTES} bytes, not {len(note.encode())}: {note[:80]!r}")


def _close_own(connections: dict[int, Connection]) -> None:
    """Close this process's connection; an inherited one is the parent's to close."""
    connection = connections.get(os.getpid())
    if connection:
        connection.close()
