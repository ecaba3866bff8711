"""The theatre: one match in the big viewer, and what else is on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from common.words import asks
from frontend.pages.shared import found
from tournaments.playbill import playbill


@asks("match", "at", "eyes", "lang")
@found
def page(request: HttpRequest) -> HttpResponse:
    """Show a match and the programme; htmx asks again for the programme alone."""
    bill = playbill(request.GET.get("match", ""))
    part = "frontend/parts/playbill.html" if request.headers.get("HX-Request") else "frontend/watch.html"
    return render(request, part, {"bill": bill})
