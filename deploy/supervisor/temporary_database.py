"""Database for a management command, started for the command if necessary."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from deploy.config.database import conninfo_of
from deploy.manage_command_line import START_HINT
from deploy.supervisor import embedded_postgres
from deploy.supervisor.postgres_binaries import EmbeddedPostgresError
from foundation.management_commands import InvalidCommandInputError

ANSWER_TIMEOUT_SECONDS = 10


@contextmanager
def reachable_database(*, arena: bool = False) -> Iterator[None]:
    """Provide a running database during the `with` block.

    Raises InvalidCommandInputError if no database is reachable. With `arena`, the site must be running already.
    """
    server = None if arena or os.environ.get("DATABASE_URL") else _start_embedded()
    try:
        if server:
            call_command("migrate", verbosity=0)
        else:
            _check_answer()
        yield
    finally:
        if server:
            connections.close_all()
            server.stop()


def _start_embedded() -> embedded_postgres.EmbeddedPostgres | None:
    """Start the embedded PostgreSQL; return None if another process already runs it."""
    try:
        return embedded_postgres.start_server(settings.POSTGRES_FOLDER)
    except embedded_postgres.DatabaseFolderInUseError:
        return None
    except EmbeddedPostgresError as error:
        raise InvalidCommandInputError(error) from error


def _check_answer() -> None:
    if connection.connection is not None:  # already connected: by a test, or by the command that called this one
        return
    try:
        psycopg.connect(conninfo_of(connection.settings_dict), connect_timeout=ANSWER_TIMEOUT_SECONDS).close()
    except psycopg.OperationalError as error:
        whose = "that DATABASE_URL names" if os.environ.get("DATABASE_URL") else "of the arena"
        raise InvalidCommandInputError(
            f"the database {whose} does not answer: {START_HINT}, or look whether it has just begun ({error})"
        ) from error
