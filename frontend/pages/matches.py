"""Page of a match: the viewer, and its story in words."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from foundation.tongues import spoken
from foundation.unavailable import Unavailable
from foundation.words import asks
from frontend.drawing.clip import MOST
from frontend.pages.shared import found, title_of
from replays import queries as replays_queries
from replays import sittings
from replays.reports.numbers import read_numbers
from tournaments import queries as tournaments_queries


@asks("at", "eyes", "lang")
@found
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match: the viewer and its public story, for readers without JavaScript; or its result alone."""
    page, language = replays_queries.read_match(match_id), spoken()
    shown = replays_queries.is_shown(match_id, request.user.pk)
    try:
        story = replays_queries.read_story(match_id, user_id=request.user.pk, language=language) if shown else []
        away = ""
    except Unavailable as error:  # its result is in the database in any case
        story, shown, away = [], False, str(error)
    place = tournaments_queries.find_place(match_id)
    context = {"match": page, "title": title_of(page), "shown": shown, "away": away, "story": story}
    context |= {"language": language, "place": place, "numbers": read_numbers(match_id, request.user.pk)}
    seat = sittings.find_own_seat(match_id, request.user.pk)
    context |= {"seat": seat, "first": seat is not None and sittings.is_first(request.user.pk, match_id)}
    if story:
        context |= {"begin": max(0, len(story) - MOST), "end": len(story) - 1}
    if place and not shown and not away:
        context["release"] = tournaments_queries.read_release(place.league, place.round)
    response = render(request, "frontend/match.html", context)
    if not shown:  # not cached, because the release of the match changes it
        patch_cache_control(response, private=True)
    return response
