"""Status page: sandboxes, matches, audits and reviews."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bots.worker_queries import list_cages
from replays.reports.health import read_health
from replays.reviews.turns import read_queue
from tournaments.queries import count_unsound


def page(request: HttpRequest) -> HttpResponse:
    """Show the state of the arena; htmx polls the inner part."""
    part = "frontend/parts/status.html" if request.headers.get("HX-Request") else "frontend/status.html"
    context = {"health": read_health(), "reviews": read_queue(), "cages": list_cages(), "unsound": count_unsound()}
    return render(request, part, context)
