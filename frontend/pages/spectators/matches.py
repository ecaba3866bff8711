"""Page of a match, with the viewer and the events in words."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from foundation.query_parameters import query_parameters
from foundation.response_language import active_language
from foundation.storage_errors import StorageUnavailable
from frontend.drawing.animated_match_clip_encoding import MAX_MOMENTS
from frontend.pages.http_error_conversion import handle_missing, make_title
from ftk_core.plugins import MissingPluginError
from replays import queries as replays_queries
from replays.human_play.human_matches import is_first_hand_match
from replays.match_access import find_played_seat
from replays.reports.bot_reported_numbers import read_numbers
from tournaments.leagues import queries as tournaments_queries


@query_parameters("at", "eyes", "lang")
@handle_missing
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match in the viewer and in words. Show only the result if the user may not see the events."""
    # Before the release, a person who plays by hand sees the view of the own seat.
    page, language, user_id = replays_queries.read_match(match_id), active_language(), request.user.pk
    played = find_played_seat(match_id, user_id)
    eyes = "public"
    shown = replays_queries.can_user_see_match(match_id, user_id)
    if not shown and played is not None:
        shown, eyes = True, str(played)
    try:
        story = replays_queries.read_story(match_id, eyes, user_id, language) if shown else []
        away = ""
    except (StorageUnavailable, MissingPluginError) as error:  # the result of the match is in the database in any case
        story, shown, away = [], False, str(error)
    place = tournaments_queries.find_league_of_match(match_id)
    context = {"match": page, "title": make_title(page), "shown": shown, "away": away, "story": story}
    context |= {"language": language, "place": place, "numbers": read_numbers(match_id, user_id)}
    seat = None if page.ended else played
    context |= {
        "played": played is not None,
        "own_seat_only": eyes != "public",
        "eyes": eyes,
        "seat": seat,
        "first": seat is not None and is_first_hand_match(user_id, match_id),
    }
    if story:
        context |= {"begin": max(0, len(story) - MAX_MOMENTS), "end": len(story) - 1}
    if place and not shown and not away:
        context["release"] = tournaments_queries.read_release(place.league, place.round)
    response = render(request, "frontend/match.html", context)
    if not shown or eyes != "public":  # not cached, because the release of the match changes it
        patch_cache_control(response, private=True)
    return response
