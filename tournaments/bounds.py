"""Bounds of a league's row: numbers for error messages, and conditions for the database."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db.models import F, Q
from django.utils.translation import gettext_noop

LONGEST_SLUG, LONGEST_NAME = 60, 80
SLUG = rf"[-a-zA-Z0-9_]{{1,{LONGEST_SLUG}}}"
"""Slugs that Django's URLs and the column accept."""
SEASON = r"[a-z0-9-]{1,20}"
CONTINUOUS, FRIENDLY = "_continuous", "_friendly"
"""Labels of the ladders outside leagues, invalid as seasons: called bouts, and challenges."""
OUTSIDE = {
    "": gettext_noop("All time"),
    CONTINUOUS: gettext_noop("Continuous ladder"),
    FRIENDLY: gettext_noop("Friendly matches"),
}
"""Names of the ladders without a season."""
ROUNDS = range(1, 1000 + 1)
"""Rounds of a whole league; formats that compute the number may need many."""
ANNOUNCED = range(1, 100 + 1)
"""Rounds of a stage."""
GAMES = range(1, 100 + 1)
"""Matches of each table."""
RATINGS = range(10_000 + 1)
STATUSES = ("open", "running", "closed")
TIMES = (datetime(2000, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC))
"""PostgreSQL allows times that Python cannot represent."""

SOUND = {
    "leagues_have_slugs": Q(slug__regex=f"^{SLUG}$"),
    "leagues_have_names": Q(name__regex=r"\S"),
    "leagues_have_games": Q(game__regex=r"^[a-z0-9_]+$"),
    "leagues_have_seasons": Q(season="") | Q(season__regex=f"^{SEASON}$"),
    "leagues_have_rounds": Q(rounds__range=(ROUNDS[0], ROUNDS[-1])) & Q(round__lte=F("rounds")),
    "leagues_have_a_status": Q(status__in=STATUSES),
    "leagues_have_their_times": Q(created_at__range=TIMES)
    & (Q(entries_until__isnull=True) | Q(entries_until__range=TIMES)),
}
"""Constraints of the table by name; lists filter by the same, so that one bad row does not break a page."""
