"""The status page: whether bots are contained, matches move on, and the archive still reruns to itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bots import queries as bots_queries
from replays.reports.health import health
from tournaments.queries import unsound_leagues


def page(request: HttpRequest) -> HttpResponse:
    """Show how the arena is; htmx asks again for the inner part."""
    part = "frontend/parts/status.html" if request.headers.get("HX-Request") else "frontend/status.html"
    context = {"health": health(), "cages": bots_queries.cages(), "unsound": unsound_leagues()}
    return render(request, part, context)
