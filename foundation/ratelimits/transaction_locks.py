"""Locks of the whole arena that PostgreSQL holds until the end of a transaction.

Each lock has a key of its own: `TRIALS`, `WEBHOOKS`, `INVITATIONS`, `TEMPLATES`.
"""

from __future__ import annotations

from django.db import connection

TRIALS, WEBHOOKS, INVITATIONS, TEMPLATES = 0x66746B01, 0x66746B03, 0x66746B04, 0x66746B05


def lock_until_commit(key: int) -> None:
    """Wait for an advisory lock and hold it until the transaction ends; call it in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
