"""Preview pictures that other sites show for links to pages (Open Graph images)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import quote_etag
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import charge_or_wait, request_address, too_many_requests
from frontend.drawing.link_preview_pictures import (
    MatchPreviewContent,
    PagePreviewContent,
    compute_fingerprint,
    draw_page_poster,
    draw_poster,
)
from frontend.drawing.picture_branding import read_picture_brand
from frontend.drawing.signed_preview_urls import InvalidPreviewSignatureError, read_preview
from frontend.pages.http_error_conversion import handle_missing
from replays import queries as replays_queries

P = TypeVar("P", MatchPreviewContent, PagePreviewContent)
LIVE_TEXT = "Live now"
STATE_TEXTS = {"waiting": "About to begin", "playing": LIVE_TEXT, "adjourned": LIVE_TEXT}
ENDED_TEXT = "Watch every move"
"""Text for a finished match, which must not hint at the result."""
UNRELEASED_TEXT = "To be watched later"
"""Text for a match whose replay is not public yet."""
FRESH_SECONDS, CACHE_SECONDS = 60, 86_400


@require_safe
@handle_missing
def card(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return the preview picture of a match, without the result."""
    match = replays_queries.read_match(match_id)
    names = tuple(player.name for player in sorted(match.players, key=lambda player: player.seat))
    said = STATE_TEXTS.get(match.status, ENDED_TEXT) if match.released else UNRELEASED_TEXT
    poster = MatchPreviewContent(
        title=match.game_title, players=names, state=said, live=said == LIVE_TEXT, brand=read_picture_brand()
    )
    fresh = match.status in STATE_TEXTS or not match.released
    return _answer(request, poster, draw_poster, FRESH_SECONDS if fresh else CACHE_SECONDS)


@require_safe
@query_parameters("about")
def page_card(request: HttpRequest) -> HttpResponse:
    """Return the preview picture of a page, with the signed texts from the URL."""
    try:
        poster = PagePreviewContent(*read_preview(request.GET.get("about", "")), brand=read_picture_brand())
    except InvalidPreviewSignatureError:
        raise Http404(gettext("no page of this site has such a picture")) from None
    if seconds := charge_or_wait("picture", request_address(request)):
        return too_many_requests(seconds)
    return _answer(request, poster, draw_page_poster, CACHE_SECONDS)


def _answer(request: HttpRequest, poster: P, draw: Callable[[P], bytes], max_age: int) -> HttpResponse:
    """Return a picture as PNG, or status 304 if the client has it already."""
    etag = quote_etag(compute_fingerprint(poster))
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    else:
        answer = HttpResponse(draw(poster), content_type="image/png")
    answer.headers["ETag"] = etag
    patch_cache_control(answer, public=True, max_age=max_age)
    return answer
