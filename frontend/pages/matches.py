"""A match: the viewer, and its story in words."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from common.words import asks
from frontend.pages.shared import found, language_of, title_of
from replays import queries as replays_queries
from tournaments import queries as tournaments_queries


@asks("at", "eyes", "lang")
@found
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match: the viewer, and its public story in words for whoever has no JavaScript."""
    page, language = replays_queries.match_page(match_id), language_of(request)
    story = replays_queries.story(match_id, language=language)
    place = tournaments_queries.place_of(match_id)
    context = {"match": page, "title": title_of(page), "story": story, "language": language, "place": place}
    return render(request, "frontend/match.html", context)
