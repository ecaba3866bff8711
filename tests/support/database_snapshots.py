"""Copies of the test database's rows, so that the same league is not played again for every test."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import connection, transaction
from django.db.models import Model

from replays.replay_frame_cache import REEL_CACHE
from replays.reports.key_moments import find_first_moments
from tests.support.database_cleanup import list_filled_tables

M = TypeVar("M", bound=Model)
_snapshots: dict[Callable[[], Model], tuple[dict[str, bytes], type[Model], object]] = {}
"""By function: the rows of each table, and the class and key of the created object, which a test may delete."""


def create_or_restore(create: Callable[[], M]) -> M:
    """Return what `create` returns: call it the first time, and later insert the rows that it had created.

    Objects keep their ids. Ids of new objects do not collide with them, because emptying a table does not reset its
    sequence. If the database is not empty, `create` is called each time, because its rows are unknown.
    """
    if not _are_empty(list_filled_tables()):
        return create()
    if create not in _snapshots:
        created = create()
        copies = {table: rows for table in list_filled_tables() if (rows := _copy_rows(table))}
        _snapshots[create] = copies, type(created), created.pk
        return created
    copies, model, key = _snapshots[create]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        for table, rows in copies.items():
            with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                copy.write(rows)
    REEL_CACHE.clear()  # caches of this process that may contain a later state of the same match
    find_first_moments.cache_clear()
    restored: M = model._default_manager.get(pk=key)  # type: ignore[assignment]  # the class of what was created
    return restored


def _are_empty(tables: list[str]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + " OR ".join(["false", *(f"EXISTS (SELECT FROM {table})" for table in tables)]))
        return not cursor.fetchone()[0]


def _copy_rows(table: str) -> bytes:
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} TO STDOUT") as copy:
        return b"".join(copy)
