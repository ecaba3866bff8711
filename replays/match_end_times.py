"""Sort key for matches by end time, including matches that have not ended."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db.models import DateTimeField, Q, Value
from django.db.models.functions import Coalesce

RUNNING_STATUSES = Q(status__in=("waiting", "playing", "adjourned"))
"""Django Q object that selects the matches that have not ended."""
NO_END_TIME = datetime(9999, 12, 31, tzinfo=UTC)
"""Value in place of the end time of a match that has not ended; it is later than every real end time."""


def end_time_of(closed_at: str) -> Coalesce:
    """Return a Django expression for a match's end time. It is `NO_END_TIME` if the match has not ended."""
    # The database has an index on this expression.
    return Coalesce(closed_at, Value(NO_END_TIME), output_field=DateTimeField())
