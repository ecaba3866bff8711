"""Database for one command: the arena's while it runs, else our own PostgreSQL for the duration of the command."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from deploy.commands import START
from deploy.database import conninfo_of
from deploy.supervisor import embedded
from foundation.shell import Refusal

PATIENCE_SECONDS = 10


@contextmanager
def at_hand(*, arena: bool = False) -> Iterator[None]:
    """Provide a running database during the block, and stop afterwards whatever it started.

    With `arena` it starts nothing: the command needs workers too. Raises Refusal, which names what to start.
    """
    server = None if arena or os.environ.get("DATABASE_URL") else _started()
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


def _started() -> embedded.Server | None:
    """Start our own server; return None if another process runs it."""
    try:
        return embedded.start(settings.POSTGRES_FOLDER)
    except embedded.InUse:
        return None
    except embedded.EmbeddedError as error:
        raise Refusal(error) from error


def _check_answer() -> None:
    if connection.connection is not None:  # a test's connection, or the command was called by another one
        return
    try:
        psycopg.connect(conninfo_of(connection.settings_dict), connect_timeout=PATIENCE_SECONDS).close()
    except psycopg.OperationalError as error:
        whose = "that DATABASE_URL names" if os.environ.get("DATABASE_URL") else "of the arena"
        raise Refusal(
            f"the database {whose} does not answer: {START}, or look whether it has just begun ({error})"
        ) from error
