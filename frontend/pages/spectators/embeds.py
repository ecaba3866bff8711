"""Embedding of matches in other sites: the viewer without navigation, and the oEmbed endpoint."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.etree.ElementTree import Element, SubElement, tostring

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import resolve, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_exempt

from foundation.branding.arena_brand import read_brand
from foundation.query_parameters import query_parameters
from frontend.drawing import animated_match_clip_encoding, game_table_picture, link_preview_pictures
from frontend.pages.http_error_conversion import handle_missing, make_title
from ftk_core.games import UnknownGameError, game
from replays import queries as replays_queries

WIDTH, HEIGHT = 960, 720
MIN_SIDE_PIXELS = 240
PHOTO_SIZES = {"picture": game_table_picture.SIZE, "clip": animated_match_clip_encoding.SIZE}
"""URL name of a kind of picture -> (width, height) of these pictures in pixels."""
MAX_DIGITS = 9
"""Maximum number of digits in a requested side length; a longer number gets the full size."""
VIEWER_PARAMETERS = ("at", "eyes", "lang")
PARAMETERS_BY_URL = {
    "match": VIEWER_PARAMETERS,
    "embed": VIEWER_PARAMETERS,
    "picture": ("at",),
    "clip": ("from", "until"),
}
"""URL name -> query parameters that are copied from the requested URL into the URLs of the oEmbed answer."""


# the only page that other sites may frame: it changes nothing, so clickjacking has no effect
@query_parameters("at", "eyes", "lang")
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # django-csp types views without arguments only
@handle_missing
def embed(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show only the viewer of a match, for embedding in another site."""
    match = replays_queries.read_match(match_id)
    shown, away = replays_queries.can_user_see_match(match_id, request.user.pk), ""
    try:
        game(match.game)
    except UnknownGameError as error:
        shown, away = False, str(error)
    context = {"match": match, "title": make_title(match), "shown": shown, "away": away}
    return render(request, "frontend/embed.html", context)


@query_parameters("url", "format", "maxwidth", "maxheight")
@handle_missing
def oembed(request: HttpRequest) -> HttpResponse:
    """Return the oEmbed answer (https://oembed.com) for a URL of a match."""
    written = RENDERERS.get(request.GET.get("format", "json"))
    if written is None:
        return HttpResponse(f"format must be one of {', '.join(RENDERERS)}", status=400, content_type="text/plain")
    kind, match_id, spot = _parse_url(request, request.GET.get("url", ""))
    match = replays_queries.read_match(match_id)
    if kind in PHOTO_SIZES:
        return written(_make_photo_answer(request, match, kind, spot))
    width, height = _limit_side(request.GET.get("maxwidth"), WIDTH), _limit_side(request.GET.get("maxheight"), HEIGHT)
    source = request.build_absolute_uri(reverse("embed", args=[match.id])) + (f"?{urlencode(spot)}" if spot else "")
    frame = '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy" allow="fullscreen"></iframe>'
    return written(
        _make_answer(request, match, "rich")
        | {
            "thumbnail_url": request.build_absolute_uri(reverse("card", args=[match.id])),
            "thumbnail_width": link_preview_pictures.WIDTH,
            "thumbnail_height": link_preview_pictures.HEIGHT,
            "html": format_html(frame, source, make_title(match), width, height),
            "width": width,
            "height": height,
        }
    )


def _make_answer(request: HttpRequest, match: replays_queries.MatchOverview, kind: str) -> dict[str, object]:
    """Return the fields that every oEmbed answer about a match contains."""
    home = request.build_absolute_uri(reverse("home"))
    return {
        "version": "1.0",
        "type": kind,
        "provider_name": read_brand().name,
        "provider_url": home,
        "title": make_title(match),
    }


def _make_photo_answer(
    request: HttpRequest, match: replays_queries.MatchOverview, kind: str, spot: dict[str, str]
) -> dict[str, object]:
    """Return the oEmbed answer for a picture or clip of a match."""
    # `spot` has the query parameters that select moments of the match, such as `at`. Raises MatchViewForbiddenError if
    # the match is not public yet.
    replays_queries.read_public(match.id)
    source = request.build_absolute_uri(reverse(kind, args=[match.id])) + (f"?{urlencode(spot)}" if spot else "")
    width, height = PHOTO_SIZES[kind]
    most = _limit_side(request.GET.get("maxwidth"), width), _limit_side(request.GET.get("maxheight"), height)
    scale = min(most[0] / width, most[1] / height)
    size = {"width": int(width * scale), "height": int(height * scale)}
    return _make_answer(request, match, "photo") | {"url": source, **size}


def _render_xml(answer: dict[str, object]) -> HttpResponse:
    """Return an oEmbed answer as XML (oEmbed 1.0, section 2.3.4.2)."""
    root = Element("oembed")
    for name, value in answer.items():
        SubElement(root, name).text = str(value)
    return HttpResponse(tostring(root, encoding="utf-8", xml_declaration=True), content_type="text/xml; charset=utf-8")


RENDERERS: dict[str, Callable[[dict[str, object]], HttpResponse]] = {"json": JsonResponse, "xml": _render_xml}


def _parse_url(request: HttpRequest, address: str) -> tuple[str, str, dict[str, str]]:
    """Return the name of the URL pattern, the match id and the query parameters of a URL of a match."""
    # Raises Http404 for any other URL.
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise Http404(gettext("no address: %(address)r") % {"address": address[:80]}) from error
    if parts.netloc != request.get_host():
        raise Http404(gettext("not an address of this site: %(address)r") % {"address": address[:80]})
    page = resolve(parts.path)
    if page.url_name not in PARAMETERS_BY_URL:
        raise Http404(gettext("not the address of a match: %(address)r") % {"address": address[:80]})
    query = parse_qs(parts.query)
    return (
        str(page.url_name),
        page.kwargs["match_id"],
        {name: query[name][0] for name in PARAMETERS_BY_URL[page.url_name] if name in query},
    )


def _limit_side(requested: str | None, full_size: int) -> int:
    """Return the requested side length in pixels, at least `MIN_SIDE_PIXELS` and at most `full_size` (the default)."""
    if not requested or not requested.isascii() or not requested.isdigit():
        return full_size
    return max(MIN_SIDE_PIXELS, min(full_size, int(requested))) if len(requested) <= MAX_DIGITS else full_size
