"""Preview picture of a link to a match (Open Graph)."""

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
"""Text for a match that is over, independent of the result."""
KEPT = "To be watched later"
"""Text for a match that is not released."""
FRESH_SECONDS, KEPT_SECONDS = 60, 86_400


@require_safe
@found
def card(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the game and the players, never the result."""
    match = replays_queries.read_match(match_id)
    names = tuple(player.name for player in sorted(match.players, key=lambda player: player.seat))
    said = STATES.get(match.status, OVER) if match.released else KEPT
    poster = Poster(match.game_title, names, said, live=match.released and match.status == "playing")
    etag = quote_etag(fingerprint(poster))
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    else:
        answer = HttpResponse(draw(poster), content_type="image/png")
    answer.headers["ETag"] = etag
    patch_cache_control(
        answer, public=True, max_age=FRESH_SECONDS if match.status in STATES or not match.released else KEPT_SECONDS
    )
    return answer
