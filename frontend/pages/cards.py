"""The picture that a link to a match shows elsewhere (Open Graph)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from frontend.drawing.poster import Poster, draw, fingerprint
from frontend.pages.shared import found
from replays import queries as replays_queries

STATES = {"waiting": "About to begin", "playing": "Live now"}
OVER = "Watch every move"
"""What is said of a match that is over, whichever way it ended."""
FRESH_SECONDS, KEPT_SECONDS = 60, 86_400


@require_safe
@found
def card(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show who plays what, and never how it ends."""
    match = replays_queries.match_page(match_id)
    names = tuple(player.name for player in sorted(match.players, key=lambda player: player.seat))
    poster = Poster(match.game_title, names, STATES.get(match.status, OVER), live=match.status == "playing")
    etag = quote_etag(fingerprint(poster))
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    else:
        answer = HttpResponse(draw(poster), content_type="image/png")
    answer.headers["ETag"] = etag
    patch_cache_control(answer, public=True, max_age=FRESH_SECONDS if match.status in STATES else KEPT_SECONDS)
    return answer
