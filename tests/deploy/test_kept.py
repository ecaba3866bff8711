"""A worker keeps its connection to the database from task to task, and notices when that has broken."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection

from deploy.celery import KEPT_TASKS, app, try_connection
from deploy.database import conninfo_of

pytestmark = pytest.mark.django_db(transaction=True)


def backend() -> int:
    """Return who serves us at the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_the_next_task_has_the_connection_of_the_last_one() -> None:
    assert app.conf["CELERY_DB_REUSE_MAX"] == KEPT_TASKS
    before = backend()
    try_connection()
    assert backend() == before


def test_a_task_behind_a_restart_of_the_database_has_a_new_one() -> None:
    before = backend()
    with psycopg.connect(conninfo_of(connection.settings_dict), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [before])
    try_connection()
    assert backend() != before
