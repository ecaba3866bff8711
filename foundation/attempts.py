"""Retry policy for background work: a bounded number of attempts with growing pauses."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

PAUSES_SECONDS = (0, 2, 10, 30)
"""Seconds of pause after the first failed attempt, the second and so on; then any machine may take the work."""


def is_last(attempt: int) -> bool:
    """Return True if this attempt, counted from 1, is the last one."""
    return attempt >= settings.ATTEMPTS


def pause_after(attempt: int) -> timedelta:
    """Return the pause after this failed attempt, counted from 1."""
    return timedelta(seconds=PAUSES_SECONDS[min(max(attempt, 1), len(PAUSES_SECONDS)) - 1])
