"""Database for a management command, started for the command if necessary."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from deploy.config.database import conninfo_of
from deploy.management_utility import BARE_SERVER_MANAGE_COMMAND, START_HINT
from deploy.supervisor import embedded_postgres
from deploy.supervisor.postgres_binaries import EmbeddedPostgresError
from foundation.management_commands import InvalidCommandInputError

ANSWER_TIMEOUT_SECONDS = 10
INSTALLED_RELEASES = Path("/opt/ftk-releases")
"""Folder of the releases that `deploy/install` installs."""


@contextmanager
def reachable_database(*, arena: bool = False) -> Iterator[None]:
    """Provide a running database to a management command during the `with` block.

    If DATABASE_URL is set or `arena` is True, the database must already be running. Otherwise start the embedded
    PostgreSQL, unless it is running. Raises InvalidCommandInputError if the database is not reachable, or if a command
    in an installed release would create a new database.
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


def check_may_create_database(folder: Path) -> None:
    """Raise InvalidCommandInputError if this is an installed release and `folder` contains no database."""
    # Without the services' environment, a command would work on a new empty database and seem to succeed.
    if INSTALLED_RELEASES in settings.BASE_DIR.parents and not embedded_postgres.has_cluster(folder):
        raise InvalidCommandInputError(
            f"DATABASE_URL is not set, and no database exists in {folder}. Run: {BARE_SERVER_MANAGE_COMMAND}"
        )


def _start_embedded() -> embedded_postgres.EmbeddedPostgres | None:
    """Start the embedded PostgreSQL; return None if another process already runs it."""
    folder: Path = settings.POSTGRES_FOLDER
    check_may_create_database(folder)
    try:
        return embedded_postgres.start_server(folder)
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
