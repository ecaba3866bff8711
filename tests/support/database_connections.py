"""Database connections of tests: the origin of those left open, and those of a web server beside a test client."""

from __future__ import annotations

import os
import threading
import traceback
import warnings
from typing import Any

import psycopg
from django.core.signals import request_finished
from django.db import close_old_connections

MAX_CALLS = 25
"""Number of innermost function calls that are remembered for each connection."""


def add_opening_test_to_warnings() -> None:
    """Extend the warning about a connection that was deleted while open by the test that opened it."""
    # The garbage collector deletes such a connection during any later test, which then fails for another's mistake.
    base: Any = psycopg.BaseConnection
    initialise, delete = base.__init__, base.__del__

    def initialise_and_remember(connection: Any, *arguments: Any, **options: Any) -> None:
        initialise(connection, *arguments, **options)
        connection.opened_by = f"{os.environ.get('PYTEST_CURRENT_TEST')}, thread {threading.current_thread().name}"
        connection.opened_at = traceback.extract_stack(limit=MAX_CALLS)

    def delete_with_opener(connection: Any) -> None:
        def warn(message: str, category: type[Warning]) -> None:
            place = "".join(connection.opened_at.format())
            warnings.warn(f"{message}; opened by {connection.opened_by}\n{place}", category, stacklevel=1)

        delete(connection, warn)

    base.__init__, base.__del__ = initialise_and_remember, delete_with_opener


def close_connections_of_other_threads() -> None:
    """Close the database connection of each request that a thread has served, also while a test client is at work."""
    # Django's test client disconnects `close_old_connections` from this signal of the whole process during its own
    # requests. A request of a web server that ends meanwhile would keep its connection.
    request_finished.connect(_close_if_other_thread, dispatch_uid="tests", weak=False)


def _close_if_other_thread(**_: object) -> None:
    if threading.current_thread() is not threading.main_thread():
        close_old_connections()
