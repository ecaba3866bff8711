"""The leagues: all of them, and each with its rounds."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from common.words import asks
from frontend.pages.shared import found
from tournaments import queries as tournaments_queries


@asks("single", "after")
@found
def leagues(request: HttpRequest) -> HttpResponse:
    """List the leagues."""
    single = request.GET.get("single") == "yes"
    found = tournaments_queries.leagues_from(request.GET.get("after", ""), single=single)
    return render(request, "frontend/leagues.html", {"leagues": found.cards, "after": found.after, "single": single})


@found
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league; htmx asks again for its inner part while it runs."""
    part = "frontend/parts/league.html" if request.headers.get("HX-Request") else "frontend/league.html"
    return render(request, part, {"league": tournaments_queries.league(slug)})
