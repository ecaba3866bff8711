"""Clip of a match to share, and its page: named by the first and last frame, rendered once, stored in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.http import quote_etag
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from foundation.throttles import address_of, refusal, spend
from foundation.tongues import spoken
from foundation.words import asks
from frontend.drawing.clip import MOST, SIZE, animated, name_of
from frontend.drawing.table import Moment
from frontend.pages.moments import moment_of, number_in
from frontend.pages.shared import found, title_of
from ftk_core.reel import Reel
from replays import queries as replays_queries

KEPT_SECONDS = 86_400
STUDIO = ThreadPoolExecutor(1, "studio")
"""Rendering takes a second or two, so this process renders one clip at a time, beside its other requests."""


@require_safe
@asks("from", "until")
@found
def clip(request: HttpRequest, match_id: str) -> HttpResponse:
    """Send the frames from `from` to `until` as an animation, once the match is released."""
    match = replays_queries.read_match(match_id)
    reel = replays_queries.read_public(match_id)
    first, until = _span(request, match, reel)
    moments = [moment_of(match, reel, at) for at in range(first, until + 1)]
    name = name_of(moments)
    etag = quote_etag(name)
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    elif (kept := _kept(name)) is not None:
        answer = HttpResponse(kept, content_type="image/webp")
    elif seconds := spend("clip", address_of(request)):
        return refusal(seconds)
    else:
        answer = HttpResponse(STUDIO.submit(_drawn, name, moments).result(), content_type="image/webp")
    answer.headers["ETag"] = etag
    answer.headers["Content-Disposition"] = f'inline; filename="{match_id}-{first}-{until}.webp"'
    patch_cache_control(answer, public=True, max_age=KEPT_SECONDS if reel.ended or "until" in request.GET else 0)
    return answer


@require_safe
@asks("from", "until", "lang")
@found
def page(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a clip with its story, frame by frame, once the match is released."""
    match = replays_queries.read_match(match_id)
    first, until = _span(request, match, replays_queries.read_public(match_id))
    language = spoken()
    story = replays_queries.read_story(match_id, language=language)[first : until + 1]
    context = {"match": match, "title": title_of(match), "story": story, "language": language}
    context |= {"first": first, "until": until, "size": SIZE, "words": urlencode({"from": first, "until": until})}
    return render(request, "frontend/clip.html", context)


def _span(request: HttpRequest, match: replays_queries.MatchOverview, reel: Reel) -> tuple[int, int]:
    """Return the first and the last frame of the URL; raises BadRequest, or Http404 beyond the last frame."""
    until = number_in(request, "until", reel.length - 1)
    first = number_in(request, "from", max(0, until - MOST + 1))
    moment_of(match, reel, until)
    if not 0 <= until - first < MOST:
        raise BadRequest(
            gettext("from, until: a clip goes from one frame to a later one, over %(most)s at most") % {"most": MOST}
        )
    return first, until


def _kept(name: str) -> bytes | None:
    """Return a stored clip; None if it does not exist."""
    try:
        return (settings.CLIPS_FOLDER / f"{name}.webp").read_bytes()
    except FileNotFoundError:
        return None


def _drawn(name: str, moments: Sequence[Moment]) -> bytes:
    """Render and store a clip, unless a concurrent request did; delete the oldest ones."""
    if (kept := _kept(name)) is not None:
        return kept
    drawn, folder = animated(moments), Path(settings.CLIPS_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
        file.write(drawn)
    Path(file.name).replace(folder / f"{name}.webp")  # atomically: nobody reads half a clip
    _let_go(folder, settings.CLIPS)
    return drawn


def _let_go(folder: Path, most: int) -> None:
    """Delete the oldest files beyond the maximum; another process may do the same."""
    aged: list[tuple[float, Path]] = []
    for file in folder.iterdir():
        try:
            aged.append((file.stat().st_mtime, file))
        except FileNotFoundError:
            continue
    for _, file in sorted(aged)[: max(0, len(aged) - most)]:
        file.unlink(missing_ok=True)
