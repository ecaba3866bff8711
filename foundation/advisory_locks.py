"""Advisory locks of PostgreSQL that last until the transaction ends."""

from __future__ import annotations

from django.db import connection

TRIALS_LOCK, WEBHOOKS_LOCK, INVITATIONS_LOCK, TEMPLATES_LOCK = 0x66746B01, 0x66746B03, 0x66746B04, 0x66746B05
"""Keys of the arena's advisory locks in PostgreSQL, by what they protect."""


def lock_until_commit(key: int) -> None:
    """Wait for an advisory lock and hold it until the transaction ends; call it in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
