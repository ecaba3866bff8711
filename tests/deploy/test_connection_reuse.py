"""Reuse of database connections: a worker keeps its connection between tasks, and replaces a broken one."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection

from deploy.celery import TASKS_PER_CONNECTION, app, check_connection
from deploy.config.database import conninfo_of

pytestmark = pytest.mark.django_db(transaction=True)


def backend() -> int:
    """Return the process id of our connection's server process."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_consecutive_celery_tasks_reuse_one_database_connection() -> None:
    assert app.conf["CELERY_DB_REUSE_MAX"] == TASKS_PER_CONNECTION
    before = backend()
    check_connection()
    assert backend() == before


def test_a_celery_task_after_a_database_restart_gets_a_new_connection() -> None:
    before = backend()
    with psycopg.connect(conninfo_of(connection.settings_dict), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [before])
    check_connection()
    assert backend() != before
