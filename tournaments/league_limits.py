"""Allowed values of a league's fields, for database constraints and error messages."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db.models import F, Q
from django.utils.translation import gettext_noop

from ftk_core.league.intervention_facts import MAX_LEAGUE_NAME_CHARACTERS
from ftk_core.league.organiser_command_handlers import MAX_LEAGUE_ROUNDS

MAX_SLUG_CHARACTERS, MAX_NAME_CHARACTERS = 60, MAX_LEAGUE_NAME_CHARACTERS
SLUG_PATTERN = rf"[-a-zA-Z0-9_]{{1,{MAX_SLUG_CHARACTERS}}}"
"""Regular expression for slugs that fit both Django's URL patterns and the database column."""
SEASON_PATTERN = r"[a-z0-9-]{1,20}"
CONTINUOUS, CHALLENGES = "_continuous", "_friendly"
"""Season labels of the ladders outside leagues (continuous bouts and challenges); no league may use them."""
LADDER_TITLES = {
    "": gettext_noop("All time"),
    CONTINUOUS: gettext_noop("Continuous ladder"),
    CHALLENGES: gettext_noop("Friendly matches"),
}
"""Titles of the ladders that belong to no season, by season label."""
LEAGUE_ROUNDS = range(1, MAX_LEAGUE_ROUNDS + 1)
"""Allowed numbers of rounds of a league. The limit is high because some formats compute a large number of rounds."""
STAGE_ROUNDS = range(1, 100 + 1)
"""Allowed numbers of rounds of a stage."""
TABLE_GAMES = range(1, 100 + 1)
"""Allowed numbers of matches per table."""
RATING_RANGE = range(10_000 + 1)
"""Allowed court ratings in the entry conditions of a league, in points."""
STATUSES = ("open", "running", "closed")
TIME_RANGE = (datetime(2000, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC))
"""Allowed times. The limit is needed because PostgreSQL stores times that Python cannot represent."""

LEAGUE_CONSTRAINTS = {
    "leagues_have_slugs": Q(slug__regex=f"^{SLUG_PATTERN}$"),
    "leagues_have_names": Q(name__regex=r"\S"),
    "leagues_have_games": Q(game__regex=r"^[a-z0-9_]+$"),
    "leagues_have_seasons": Q(season="") | Q(season__regex=f"^{SEASON_PATTERN}$"),
    "leagues_have_rounds": Q(rounds__range=(LEAGUE_ROUNDS[0], LEAGUE_ROUNDS[-1])) & Q(round__lte=F("rounds")),
    "leagues_have_a_status": Q(status__in=STATUSES),
    "leagues_have_their_times": Q(created_at__range=TIME_RANGE)
    & (Q(entries_until__isnull=True) | Q(entries_until__range=TIME_RANGE)),
}
"""Constraints of the database table of leagues, by name.

Queries for lists also use them as filters, so that an invalid row does not break a page.
"""
