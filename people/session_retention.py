"""Deletion of expired sessions, and of the sign-ins whose sessions have ended."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet

from people.models import SignIn

BATCH_ROWS = 1000
"""Maximum number of rows that one statement deletes."""
MAX_BATCHES = 100
"""Maximum number of batches that one run deletes of each table; the next run continues."""


def delete_expired(now: datetime) -> int:
    """Delete expired sessions, and sign-ins without an active session. Return the number of deleted rows."""
    active = Session.objects.filter(pk=OuterRef("key"), expire_date__gt=now)
    return _delete_in_batches(Session.objects.filter(expire_date__lte=now)) + _delete_in_batches(
        SignIn.objects.filter(~Exists(active))
    )


def _delete_in_batches(rows: QuerySet[Any]) -> int:
    count = 0
    for _ in range(MAX_BATCHES):
        # `rows` filters again: a session that was renewed meanwhile stays
        deleted = rows.filter(pk__in=list(rows.values_list("pk", flat=True)[:BATCH_ROWS])).delete()[0]
        count += deleted
        if deleted < BATCH_ROWS:
            break
    return count
