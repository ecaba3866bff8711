"""Database locks that last until the transaction ends, and the error for unavailable storage."""

from __future__ import annotations

from django.db import connection

TRIALS_LOCK, WEBHOOKS_LOCK, INVITATIONS_LOCK, TEMPLATES_LOCK = 0x66746B01, 0x66746B03, 0x66746B04, 0x66746B05
"""Keys of the arena's advisory locks in PostgreSQL, by what they protect."""


class StorageUnavailable(Exception):
    """Raised if stored data cannot be read now; the message gives the reason."""

    status = 503
    """HTTP status with which pages and the API respond."""
    code = "unavailable"
    """Error code in the API response, for programs."""


def lock_until_commit(key: int) -> None:
    """Wait for an advisory lock and hold it until the transaction ends; call it in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
