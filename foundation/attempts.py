"""The one rule for work that fails: tried again after a pause, a bounded number of times, and then decided."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

PAUSES_SECONDS = (0, 2, 10, 30)
"""Seconds of pause after the first failed attempt, the second and so on; then any machine may take the work."""


def is_last(attempt: int) -> bool:
    """Tell whether work that fails in this attempt, counted from 1, is not tried again."""
    return attempt >= settings.ATTEMPTS


def pause_after(attempt: int) -> timedelta:
    """Return how long work rests that has failed in this attempt, counted from 1."""
    return timedelta(seconds=PAUSES_SECONDS[min(max(attempt, 1), len(PAUSES_SECONDS)) - 1])
