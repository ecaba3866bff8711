"""Search for matches, including by league."""

from __future__ import annotations

from dataclasses import dataclass

from replays.finding import MatchFilter, SearchResult, find
from tournaments.models import TableMatch

PAGE = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilter(MatchFilter):
    """Search criteria; empty ones are ignored."""

    league: str = ""


def search(wanted: SearchFilter, cursor: str = "", size: int = PAGE) -> SearchResult:
    """Return ended matches, newest first; raises BadCursor."""
    among = TableMatch.objects.filter(league__slug=wanted.league).values("match") if wanted.league else None
    return find(wanted, cursor, size, among)
