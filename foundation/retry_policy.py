"""Retry policy for background work: a bounded number of attempts with growing pauses."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

PAUSES_SECONDS = (0, 2, 10, 30)
"""Seconds to wait after the first failed attempt at a piece of work, after the second and so on."""


def is_last(attempt: int) -> bool:
    """Return True if an attempt, counted from 1, is the last one."""
    return attempt >= settings.ATTEMPTS


def retry_pause(attempt: int) -> timedelta:
    """Return the pause after failed attempt number `attempt`, counted from 1."""
    return timedelta(seconds=PAUSES_SECONDS[min(max(attempt, 1), len(PAUSES_SECONDS)) - 1])
