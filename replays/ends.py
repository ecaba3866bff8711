"""When a match ended, so that those that have not can be sorted with those that have."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db.models import DateTimeField, Q, Value
from django.db.models.functions import Coalesce

GOING = Q(status__in=("waiting", "playing", "adjourned"))
"""The matches that have not ended."""
UNENDED = datetime(9999, 12, 31, tzinfo=UTC)
"""Stands for the end of a match that has none yet."""


def until(closed_at: str) -> Coalesce:
    """Return when a match ended, by the name of the column, or `UNENDED`: an index has seats by the same expression."""
    return Coalesce(closed_at, Value(UNENDED), output_field=DateTimeField())
