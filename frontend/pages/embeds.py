"""Embedding of matches in other sites: the bare viewer, and the oEmbed endpoint."""

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

from foundation.words import asks
from frontend.drawing import clip, poster, table
from frontend.pages.shared import found, title_of
from replays import queries as replays_queries

WIDTH, HEIGHT = 960, 720
LEAST = 240
PHOTOS = {"picture": table.SIZE, "clip": clip.SIZE}
"""Sizes of pictures, by the name of their URL."""
MOST_DIGITS = 9
"""Maximum number of digits of a requested length; a larger request gets the full size."""
SEEN = ("at", "eyes", "lang")
SPOT = {"match": SEEN, "embed": SEEN, "picture": ("at",), "clip": ("from", "until")}
"""Query parameters of each URL that the oEmbed answer keeps."""


# the only page that others may frame: it changes nothing, so clickjacking has no effect
@asks("at", "eyes", "lang")
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # csp knows views without arguments only
@found
def embed(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the viewer alone, as large as the frame around it."""
    match = replays_queries.read_match(match_id)
    shown = replays_queries.is_shown(match_id, request.user.pk)
    return render(request, "frontend/embed.html", {"match": match, "title": title_of(match), "shown": shown})


@asks("url", "format", "maxwidth", "maxheight")
@found
def oembed(request: HttpRequest) -> HttpResponse:
    """Describe how to embed the match of a URL (https://oembed.com)."""
    written = FORMATS.get(request.GET.get("format", "json"))
    if written is None:
        return HttpResponse(f"format must be one of {', '.join(FORMATS)}", status=400, content_type="text/plain")
    kind, match_id, spot = _match_in(request, request.GET.get("url", ""))
    match = replays_queries.read_match(match_id)
    if kind in PHOTOS:
        return written(_photo(request, match, kind, spot))
    width, height = _least(request.GET.get("maxwidth"), WIDTH), _least(request.GET.get("maxheight"), HEIGHT)
    source = request.build_absolute_uri(reverse("embed", args=[match.id])) + (f"?{urlencode(spot)}" if spot else "")
    frame = '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy" allow="fullscreen"></iframe>'
    return written(
        _said(request, match, "rich")
        | {
            "thumbnail_url": request.build_absolute_uri(reverse("card", args=[match.id])),
            "thumbnail_width": poster.WIDTH,
            "thumbnail_height": poster.HEIGHT,
            "html": format_html(frame, source, title_of(match), width, height),
            "width": width,
            "height": height,
        }
    )


def _said(request: HttpRequest, match: replays_queries.MatchOverview, kind: str) -> dict[str, object]:
    """Return the common fields of an oEmbed answer."""
    home = request.build_absolute_uri(reverse("home"))
    return {
        "version": "1.0",
        "type": kind,
        "provider_name": "The Court",
        "provider_url": home,
        "title": title_of(match),
    }


def _photo(
    request: HttpRequest, match: replays_queries.MatchOverview, kind: str, spot: dict[str, str]
) -> dict[str, object]:
    """Return the answer for the URL of a picture or a clip; raises EyesClosed before the match is released."""
    replays_queries.read_public(match.id)
    source = request.build_absolute_uri(reverse(kind, args=[match.id])) + (f"?{urlencode(spot)}" if spot else "")
    width, height = PHOTOS[kind]
    return _said(request, match, "photo") | {"url": source, "width": width, "height": height}


def _as_xml(told: dict[str, object]) -> HttpResponse:
    """Return an answer as XML by oEmbed 1.0 (section 2.3.4.2)."""
    root = Element("oembed")
    for name, value in told.items():
        SubElement(root, name).text = str(value)
    return HttpResponse(tostring(root, encoding="utf-8", xml_declaration=True), content_type="text/xml; charset=utf-8")


FORMATS: dict[str, Callable[[dict[str, object]], HttpResponse]] = {"json": JsonResponse, "xml": _as_xml}


def _match_in(request: HttpRequest, address: str) -> tuple[str, str, dict[str, str]]:
    """Return the kind, the match and the moment of one of our URLs; raises Http404."""
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise Http404(gettext("no address: %(address)r") % {"address": address[:80]}) from error
    if parts.netloc != request.get_host():
        raise Http404(gettext("not an address of this site: %(address)r") % {"address": address[:80]})
    page = resolve(parts.path)
    if page.url_name not in SPOT:
        raise Http404(gettext("not the address of a match: %(address)r") % {"address": address[:80]})
    query = parse_qs(parts.query)
    return (
        str(page.url_name),
        page.kwargs["match_id"],
        {name: query[name][0] for name in SPOT[page.url_name] if name in query},
    )


def _least(wanted: str | None, own: int) -> int:
    """Return a side's length: our own, unless less is requested."""
    if not wanted or not wanted.isascii() or not wanted.isdigit():
        return own
    return max(LEAST, min(own, int(wanted))) if len(wanted) <= MOST_DIGITS else own
