"""Search for finished matches by league, bot and other criteria."""

from __future__ import annotations

from dataclasses import dataclass

from replays.match_search import MatchSearchCriteria, MatchSearchPage, find_matches
from tournaments.models import LeagueMatch

PAGE_MATCHES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueMatchSearchCriteria(MatchSearchCriteria):
    """Criteria of a search for matches. Empty criteria are ignored."""

    league: str = ""
    """Slug of the league."""


def search(criteria: LeagueMatchSearchCriteria, cursor: str = "", size: int = PAGE_MATCHES) -> MatchSearchPage:
    """Return one page of the finished matches that meet the criteria, newest first; raises InvalidCursorError."""
    league_matches = (
        LeagueMatch.objects.filter(league__slug=criteria.league).values("match") if criteria.league else None
    )
    return find_matches(criteria, cursor, size, league_matches)
