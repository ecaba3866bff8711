"""Pictures of the game table at one moment of a match, as the public sees it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import charge_or_wait, request_address, too_many_requests
from frontend.drawing.game_table_picture import compute_fingerprint, draw_table
from frontend.pages.http_error_conversion import handle_missing
from frontend.pages.spectators.replay_frame_url_parameters import make_moment, read_frame_number
from replays import queries as replays_queries

FRESH_SECONDS, KEPT_SECONDS = 10, 86_400


@require_safe
@query_parameters("at")
@handle_missing
def picture(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return a picture of the game table, by default at the newest moment of a match."""
    # Answers 403 if the match is not public yet.
    match = replays_queries.read_match(match_id)
    reel = replays_queries.read_public(match_id)
    moment = make_moment(match, reel, read_frame_number(request, "at", reel.length - 1))
    etag = quote_etag(compute_fingerprint(moment))
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    elif seconds := charge_or_wait("picture", request_address(request)):
        return too_many_requests(seconds)
    else:
        answer = HttpResponse(draw_table(moment), content_type="image/png")
    answer.headers["ETag"] = etag
    # the picture of a numbered frame never changes, but the newest frame of a live match is soon another frame
    kept = reel.ended or "at" in request.GET
    patch_cache_control(answer, public=True, max_age=KEPT_SECONDS if kept else FRESH_SECONDS)
    return answer
