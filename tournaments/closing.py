"""Check of the time at which entries to a league close."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext

from ftk_core.league.state import NotNow

FURTHEST = timedelta(days=731)
"""Maximum time until entries close."""
MINUTES = "%Y-%m-%d %H:%M %Z"


def check_closing(until: datetime | None, now: datetime) -> None:
    """Raise NotNow for a time that is past, too far away, or without a time zone; None is allowed."""
    if until is None:
        return
    if until.tzinfo is None:
        raise NotNow(
            gettext("entries cannot close at %(until)s: say in which time zone, like +00:00")
            % {"until": f"{until:%Y-%m-%d %H:%M}"}
        )
    if until <= now:
        raise NotNow(
            gettext("entries cannot close at %(until)s: that is past, it is %(now)s")
            % {"until": f"{until:{MINUTES}}", "now": f"{now:{MINUTES}}"}
        )
    if until > now + FURTHEST:
        raise NotNow(
            gettext("entries cannot close at %(until)s: that is more than two years away")
            % {"until": f"{until:{MINUTES}}"}
        )
