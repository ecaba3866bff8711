"""Content of a league's page for a large screen at an event."""
# The page shows one part of the pairings and standings at a time.

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from foundation.keyset_pagination import InvalidCursorError
from replays.queries import CLOSED, VOID
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.stage_and_round_descriptions import find_last_round
from tournaments.models import League
from tournaments.organisers.public_organiser_action_descriptions import list_announcements
from tournaments.organisers.round_overview import estimate_round_end, find_round_start
from tournaments.reports.league_page_queries import read_round, read_standings
from tournaments.summaries.league_overviews import OrganiserAnnouncement, PaginatedStandings, RoundDetails

STANDINGS_PART = 14
"""Number of entries of the standings that the screen shows at a time."""
SHOWN_LINES, HEADING_LINES = 54, 2
"""Number of text lines on the screen for all tables, and number of them that the heading of one table takes.

Each seat of a table takes one more line.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueBigScreenPage:
    """Part of a league's page for a large screen: some pairings and some standings."""

    # The next part begins at the cursors `round.after` and `standings.after`.

    league: League
    standings: PaginatedStandings
    round: RoundDetails | None
    """The drafted round if it exists, otherwise the current round; None before the first round."""
    played: int
    """Number of the round's finished and void matches."""
    matches: int
    """Number of all matches of the round."""
    ends: datetime | None
    """Estimated end of the round at the current pace; None if unknown."""
    announcement: OrganiserAnnouncement | None
    """Latest announcement."""


def read_screen(slug: str, tables: str = "", standings: str = "") -> LeagueBigScreenPage:
    """Return a screenful of pairings and standings that begins at the cursors `tables` and `standings`.

    If the cursor `tables` is invalid, for example after a new round, the pairings begin at the first table. Raises
    League.DoesNotExist, or InvalidCursorError if the cursor `standings` is invalid.
    """
    league, standings_page = read_standings(slug, standings, STANDINGS_PART)
    _, state = load(league)
    number = find_last_round(state) if state.draft else state.playing
    per_table = state.terms_of(number or 1).seats
    size = max(2, SHOWN_LINES // (per_table + HEADING_LINES))
    counts = league.tables.filter(round=number).aggregate(
        matches=Count("pk"), played=Count("pk", filter=Q(match__status__in=(CLOSED, VOID)))
    )
    begun = find_round_start(state) if number == state.playing else None
    return LeagueBigScreenPage(
        league=league,
        standings=standings_page,
        round=_read_tables(slug, number, tables, size) if number else None,
        **counts,
        ends=estimate_round_end(begun, counts["played"], counts["matches"]),
        announcement=next(iter(list_announcements(state)), None),
    )


def _read_tables(slug: str, number: int, after: str, size: int) -> RoundDetails:
    with suppress(InvalidCursorError):
        part = read_round(slug, number, after, size)[1]
        if part.tables or part.draft:
            return part
    return read_round(slug, number, "", size)[1]
