"""Home page: live and recent matches, current leagues, and links to the main pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from foundation.game_choices import games
from tournaments.ladders import queries as ladder_queries
from tournaments.leagues import queries as tournaments_queries
from tournaments.reports.theatre_programme import read_programme


def page(request: HttpRequest) -> HttpResponse:
    """Show live and recent matches, current leagues, and links to the main pages."""
    bill = read_programme()
    live = [bill.shown, *bill.live] if bill.shown and bill.shown.status == "playing" else bill.live
    current = tournaments_queries.list_current(limit=4)
    context = {
        "stage": live[0] if live else None,
        "live": live[1:5],
        "recent": bill.recent[:8],
        "open": [league for league in current if league.status == "open"],
        "leagues": [league for league in current if league.status != "open"],
        "upset": ladder_queries.find_last_upset(),
        "games": games(),
    }
    return render(request, "frontend/home.html", context)
