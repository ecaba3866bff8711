"""Pages of leagues: the list, and the parts of each."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_noop

from foundation.words import asks
from frontend.pages.shared import found
from tournaments import league_queries
from tournaments import queries as tournaments_queries
from tournaments.desk import shows_desk
from tournaments.entering import read_entry_page
from tournaments.papers import read_paper

SHEETS = (
    ("standings", gettext_noop("standings")),
    ("pairings", gettext_noop("pairings")),
    ("results", gettext_noop("results")),
    ("cross", gettext_noop("cross table")),
    ("ratings", gettext_noop("ratings")),
)
"""Downloadable sheets with their labels."""


@asks("single", "after")
@found
def leagues(request: HttpRequest) -> HttpResponse:
    """List the leagues."""
    single = request.GET.get("single") == "yes"
    found = tournaments_queries.list_leagues_from(request.GET.get("after", ""), single=single)
    return render(request, "frontend/leagues.html", {"leagues": found.cards, "after": found.after, "single": single})


@found
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league; htmx polls its inner part while it runs."""
    page = league_queries.read_league(slug)
    context = {"league": page, "standings": page.standings, "round": page.newest, "sheets": SHEETS}
    context["desk"] = shows_desk(request.user, slug)
    if request.user.pk and page.status != "closed":
        context["entering"] = read_entry_page(slug, request.user.pk)
    return render(request, _laid_out(request, "league"), context)


@asks("after")
@found
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a page of a league's standings, which htmx appends."""
    page, rows = league_queries.read_standings(slug, request.GET.get("after", ""))
    return render(
        request, _laid_out(request, gettext_noop("standings")), {"league": page, "standings": rows, "fetched": True}
    )


@asks("after")
@found
def round_(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a round of a league, or more of its tables; htmx inserts them in place."""
    page, row = league_queries.read_round(slug, number, request.GET.get("after", ""))
    return render(request, _laid_out(request, "round"), {"league": page, "round": row, "fetched": True})


@asks("after", "around")
@found
def cross(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a section of a league's cross table."""
    page, table = league_queries.read_cross(slug, request.GET.get("after", ""), request.GET.get("around", ""))
    return render(request, "frontend/cross.html", {"league": page, "cross": table})


@asks("after")
@found
def acts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the acts on a league."""
    page, done = league_queries.read_acts(slug, request.GET.get("after", ""))
    return render(request, "frontend/acts.html", {"league": page, "acts": done})


@found
def print_(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league for printing: all of it on one page without navigation."""
    return render(request, "frontend/paper.html", {"paper": read_paper(slug)})


def _laid_out(request: HttpRequest, name: str) -> str:
    """Return the template of a page, or of its inner part for htmx."""
    return f"frontend/parts/{name}.html" if request.headers.get("HX-Request") else f"frontend/{name}.html"
