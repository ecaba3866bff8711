"""The report of a trial: its verdict for everybody, what the bot said and did for its author alone."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bots import queries as bots_queries
from frontend.pages.shared import found


@found
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show how a version's trial went."""
    return render(request, "frontend/trial.html", {"trial": bots_queries.trial(slug, number, request.user.pk)})
