"""Warnings about open database connections that also name the test and the place that opened them."""

from __future__ import annotations

import os
import threading
import traceback
import warnings
from typing import Any

import psycopg

MAX_CALLS = 25
"""Number of innermost function calls that are remembered for each connection."""


def name_openers_in_warnings() -> None:
    """Let the warning about a connection that was deleted while open say where it was opened."""
    # The garbage collector deletes such a connection during any later test, which then fails for another's mistake.
    initialise = psycopg.Connection.__init__

    def initialise_and_remember(connection: Any, *arguments: Any, **options: Any) -> None:
        initialise(connection, *arguments, **options)
        connection.opened_by = f"{os.environ.get('PYTEST_CURRENT_TEST')}, thread {threading.current_thread().name}"
        connection.opened_at = traceback.extract_stack(limit=MAX_CALLS)

    def warn_of_open_connection(connection: Any) -> None:
        if not hasattr(connection, "opened_at") or connection.closed or hasattr(connection, "_pool"):
            return
        place = "".join(connection.opened_at.format())
        message = f"a database connection was deleted while open; opened by {connection.opened_by}\n{place}"
        warnings.warn(message, ResourceWarning, stacklevel=1)

    connections: Any = psycopg.Connection
    connections.__init__, connections.__del__ = initialise_and_remember, warn_of_open_connection
