"""Finding matches also by their league."""

from __future__ import annotations

from dataclasses import dataclass

from replays.finding import Found, Sought, find
from tournaments.models import Table

PAGE = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted(Sought):
    """What to look for; what is empty is not asked."""

    league: str = ""


def search(wanted: Wanted, cursor: str = "", size: int = PAGE) -> Found:
    """Return ended matches, the newest first; raises BadCursor."""
    among = Table.objects.filter(tournament__slug=wanted.league).values("match") if wanted.league else None
    return find(wanted, cursor, size, among)
