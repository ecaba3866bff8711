"""The first page: what is being played now, and where to go from here."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from common.games import games
from tournaments import queries as tournaments_queries
from tournaments import records
from tournaments.playbill import playbill


def page(request: HttpRequest) -> HttpResponse:
    """Show what is being played now, and where to go from here."""
    bill = playbill()
    live = [bill.shown, *bill.live] if bill.shown and bill.shown.status == "playing" else bill.live
    current = tournaments_queries.current_leagues(limit=4)
    context = {
        "stage": live[0] if live else None,
        "live": live[1:5],
        "recent": bill.recent[:8],
        "open": [league for league in current if league.status == "open"],
        "leagues": [league for league in current if league.status != "open"],
        "upset": records.last_upset(),
        "games": games(),
    }
    return render(request, "frontend/home.html", context)
