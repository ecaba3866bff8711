"""Picture of the table at one moment of a match, to share: the public view of a released match."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from foundation.throttles import address_of, refusal, spend
from foundation.words import asks
from frontend.drawing.table import draw, fingerprint
from frontend.pages.moments import moment_of, number_in
from frontend.pages.shared import found
from replays import queries as replays_queries

FRESH_SECONDS, KEPT_SECONDS = 10, 86_400


@require_safe
@asks("at")
@found
def picture(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the table after the frame `at`, or the newest one, once the match is released."""
    match = replays_queries.read_match(match_id)
    reel = replays_queries.read_public(match_id)
    moment = moment_of(match, reel, number_in(request, "at", reel.length - 1))
    etag = quote_etag(fingerprint(moment))
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    elif seconds := spend("picture", address_of(request)):
        return refusal(seconds)
    else:
        answer = HttpResponse(draw(moment), content_type="image/png")
    answer.headers["ETag"] = etag
    # a frame never changes, but the newest frame of a live match is soon another
    kept = reel.ended or "at" in request.GET
    patch_cache_control(answer, public=True, max_age=KEPT_SECONDS if kept else FRESH_SECONDS)
    return answer
