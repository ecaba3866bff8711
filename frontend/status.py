"""The status page: whether bots are contained, matches move on, and the archive still reruns to itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bots import queries as bots_queries
from replays.health import health


def page(request: HttpRequest) -> HttpResponse:
    """Show how the arena is; htmx asks again for the inner part."""
    part = "frontend/parts/status.html" if request.headers.get("HX-Request") else "frontend/status.html"
    return render(request, part, {"health": health(), "cages": bots_queries.cages()})
