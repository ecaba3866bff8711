"""Sortable end time of matches, including those that have not ended."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db.models import DateTimeField, Q, Value
from django.db.models.functions import Coalesce

GOING = Q(status__in=("waiting", "playing", "adjourned"))
"""The matches that have not ended."""
UNENDED = datetime(9999, 12, 31, tzinfo=UTC)
"""End time of matches that have not ended."""


def until(closed_at: str) -> Coalesce:
    """Return the end of a match from the column of this name, or `UNENDED`; an index uses the same expression."""
    return Coalesce(closed_at, Value(UNENDED), output_field=DateTimeField())
