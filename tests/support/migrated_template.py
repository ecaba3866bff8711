"""Template of the test databases: one worker of pytest-xdist runs the migrations, and the others copy its database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection
from psycopg.sql import SQL, Identifier

TEMPLATE = "migrated_template"
LOCK_KEY = 0x667466
"""Key of the advisory lock that a worker holds while it creates its database."""


@contextmanager
def share_migrations() -> Iterator[None]:
    """Let the first worker migrate the database that it creates in the `with` block; the others copy the result.

    The migrations take half a minute, and they would compete for the same processors.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [LOCK_KEY])
        is_migrated = server.execute("SELECT FROM pg_database WHERE datname = %s", [TEMPLATE]).rowcount == 1
        if is_migrated:
            connection.settings_dict["TEST"].update(TEMPLATE=TEMPLATE, MIGRATE=False)
        yield
        if not is_migrated:
            connection.close()  # a database with open connections cannot be copied
            names = Identifier(TEMPLATE), Identifier(connection.settings_dict["NAME"])
            server.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))
