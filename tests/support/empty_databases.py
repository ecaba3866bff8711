"""Empty databases for tests of restores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo

from deploy.config.database import conninfo_of


@contextmanager
def create_empty_database() -> Iterator[str]:
    """Create a database beside that of the test, yield its connection string, and delete it."""
    here = conninfo_of(connection.settings_dict)
    name = f"{connection.settings_dict['NAME']}_empty"  # every process of the tests has a database of its own
    with psycopg.connect(here, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield make_conninfo(here, dbname=name)
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
