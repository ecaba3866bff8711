"""Emptying of the database after a transactional test, past the triggers that forbid deleting pages."""

from __future__ import annotations

from itertools import count

from django.db import connection, transaction

KEPT_TABLES = ["django_migrations", "django_content_type", "auth_permission"]
"""Tables that are not emptied: their rows are derived from the code and are the same after every test."""
FILES_SQL = """
    SELECT quote_ident(relname) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0 AND relname <> ALL (%s)
"""
_times = count(1)


def list_filled_tables() -> list[str]:
    """Return the names of the tables that have had rows since they were last truncated, without `KEPT_TABLES`."""
    with connection.cursor() as cursor:
        cursor.execute(FILES_SQL, [KEPT_TABLES])
        return sorted(name for (name,) in cursor.fetchall())


def delete_all_rows() -> None:
    """Delete all rows, which is a hundred times as fast as Django's flush with its new files and permissions."""
    if not (tables := list_filled_tables()):
        return
    rows = [f"DELETE FROM {table}" for table in tables]  # dead rows let the files grow, so every 50th time truncates
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = 'replica'")
        cursor.execute("; ".join(rows if next(_times) % 50 else [f"TRUNCATE {', '.join(tables)} CASCADE"]).encode())
