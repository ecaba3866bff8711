"""When entries to a league can close."""

from __future__ import annotations

from datetime import datetime, timedelta

from ftk_core.league.state import NotNow

FURTHEST = timedelta(days=731)
"""Entries close within two years."""
MINUTES = "%Y-%m-%d %H:%M %Z"


def check_closing(until: datetime | None, now: datetime) -> None:
    """Raise NotNow for a moment that is past, too far away, or without a time zone; None is fine."""
    if until is None:
        return
    if until.tzinfo is None:
        raise NotNow(f"entries cannot close at {until:%Y-%m-%d %H:%M}: say in which time zone, like +00:00")
    if until <= now:
        raise NotNow(f"entries cannot close at {until:{MINUTES}}: that is past, it is {now:{MINUTES}}")
    if until > now + FURTHEST:
        raise NotNow(f"entries cannot close at {until:{MINUTES}}: that is more than two years away")
