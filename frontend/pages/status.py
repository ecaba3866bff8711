"""The status page: whether bots are contained, matches move on, and the archive still reruns to itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bots.worker_queries import list_cages
from replays.reports.health import read_health
from replays.reviews.turns import read_queue
from tournaments.queries import count_unsound


def page(request: HttpRequest) -> HttpResponse:
    """Show how the arena is; htmx asks again for the inner part."""
    part = "frontend/parts/status.html" if request.headers.get("HX-Request") else "frontend/status.html"
    context = {"health": read_health(), "reviews": read_queue(), "cages": list_cages(), "unsound": count_unsound()}
    return render(request, part, context)
