"""Preview picture that other sites show for a link to a match (Open Graph image)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from frontend.drawing.match_preview import MatchPreviewContent, compute_fingerprint, draw_poster
from frontend.pages.missing_objects import handle_missing
from replays import queries as replays_queries

STATE_TEXTS = {"waiting": "About to begin", "playing": "Live now"}
ENDED_TEXT = "Watch every move"
"""Text for a finished match, which must not hint at the result."""
UNRELEASED_TEXT = "To be watched later"
"""Text for a match whose replay is not public yet."""
FRESH_SECONDS, CACHE_SECONDS = 60, 86_400


@require_safe
@handle_missing
def card(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return the preview picture of a match, which shows the game and the players, but never the result."""
    match = replays_queries.read_match(match_id)
    names = tuple(player.name for player in sorted(match.players, key=lambda player: player.seat))
    said = STATE_TEXTS.get(match.status, ENDED_TEXT) if match.released else UNRELEASED_TEXT
    poster = MatchPreviewContent(match.game_title, names, said, live=match.released and match.status == "playing")
    etag = quote_etag(compute_fingerprint(poster))
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    else:
        answer = HttpResponse(draw_poster(poster), content_type="image/png")
    answer.headers["ETag"] = etag
    patch_cache_control(
        answer,
        public=True,
        max_age=FRESH_SECONDS if match.status in STATE_TEXTS or not match.released else CACHE_SECONDS,
    )
    return answer
