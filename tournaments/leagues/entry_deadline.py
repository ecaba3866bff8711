"""Parsing and validation of entry deadlines, at which leagues stop accepting entries and begin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.utils.translation import gettext

from ftk_core.league.league_state import CommandRejected

MAX_TIME_UNTIL_CLOSING = timedelta(days=731)
"""Maximum time between the announcement of a league and its entry deadline."""
MINUTE_FORMAT = "%Y-%m-%d %H:%M %Z"


def parse_entry_deadline(text: str) -> datetime | None:
    """Return an entry deadline from ISO 8601 text; None for an empty text.

    A time without a zone is in UTC. Raises CommandRejected for an invalid time.
    """
    if not text.strip():
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise CommandRejected(
            gettext("%(text)r is not a time; write it like 2027-01-31T18:00") % {"text": text[:40]}
        ) from None


def check_entry_deadline(until: datetime | None, now: datetime) -> None:
    """Raise CommandRejected for an entry deadline in the past, too far away or without time zone."""
    if until is None:
        return
    if until.tzinfo is None:
        raise CommandRejected(
            gettext("entries cannot close at %(until)s: say in which time zone, like +00:00")
            % {"until": f"{until:%Y-%m-%d %H:%M}"}
        )
    if until <= now:
        raise CommandRejected(
            gettext("entries cannot close at %(until)s: that is past, it is %(now)s")
            % {"until": f"{until:{MINUTE_FORMAT}}", "now": f"{now:{MINUTE_FORMAT}}"}
        )
    if until > now + MAX_TIME_UNTIL_CLOSING:
        raise CommandRejected(
            gettext("entries cannot close at %(until)s: that is more than two years away")
            % {"until": f"{until:{MINUTE_FORMAT}}"}
        )
