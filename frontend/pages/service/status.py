"""Status page: state of the sandboxes and matches, and of match audits (checks by replay) and reviews (analyses)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.vary import vary_on_headers

from bots.worker_sandbox_report_queries import list_worker_sandboxes
from replays.reports.match_health import read_health
from replays.reviews.review_scheduling import read_queue
from tournaments.leagues.queries import count_invalid


@vary_on_headers("HX-Request")
def page(request: HttpRequest) -> HttpResponse:
    """Show the status page; htmx polls only its inner part."""
    part = "frontend/parts/status.html" if request.headers.get("HX-Request") else "frontend/status.html"
    context = {
        "health": read_health(),
        "reviews": read_queue(),
        "cages": list_worker_sandboxes(),
        "unsound": count_invalid(),
    }
    return render(request, part, context)
