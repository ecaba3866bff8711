"""Clips of a match: animated pictures of some frames (events), encoded once and cached in a folder."""

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

from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import charge_or_wait, request_address, too_many_requests
from foundation.response_language import active_language
from frontend.drawing.animated_match_clip_encoding import MAX_MOMENTS, SIZE, compute_clip_name, encode_clip
from frontend.drawing.game_table_picture import GameTablePictureContent
from frontend.pages.http_error_conversion import handle_missing, make_title
from frontend.pages.spectators.replay_frame_url_parameters import make_moment, read_frame_number
from ftk_core.match_replay_frames import MatchFrames
from replays import queries as replays_queries

CACHE_SECONDS = 86_400
RENDER_POOL = ThreadPoolExecutor(1, "studio")
"""Thread pool with one thread: a process encodes one clip at a time, because each takes a second or two."""


@require_safe
@query_parameters("from", "until")
@handle_missing
def clip(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return an animated picture of some moments of a public match."""
    match = replays_queries.read_match(match_id)
    reel = replays_queries.read_public(match_id)
    first, until = _read_span(request, match, reel)
    moments = [make_moment(match, reel, at) for at in range(first, until + 1)]
    name = compute_clip_name(moments)
    etag = quote_etag(name)
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    elif (kept := _read_stored(name)) is not None:
        answer = HttpResponse(kept, content_type="image/webp")
    elif seconds := charge_or_wait("clip", request_address(request)):
        return too_many_requests(seconds)
    else:
        answer = HttpResponse(RENDER_POOL.submit(_render, name, moments).result(), content_type="image/webp")
    answer.headers["ETag"] = etag
    answer.headers["Content-Disposition"] = f'inline; filename="{match_id}-{first}-{until}.webp"'
    patch_cache_control(answer, public=True, max_age=CACHE_SECONDS if reel.ended or "until" in request.GET else 0)
    return answer


@require_safe
@query_parameters("from", "until", "lang")
@handle_missing
def page(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show an animated clip of a public match, with its events in words."""
    match = replays_queries.read_match(match_id)
    first, until = _read_span(request, match, replays_queries.read_public(match_id))
    language = active_language()
    story = replays_queries.read_story(match_id, language=language)[first : until + 1]
    context = {"match": match, "title": make_title(match), "story": story, "language": language}
    context |= {"first": first, "until": until, "size": SIZE, "words": urlencode({"from": first, "until": until})}
    return render(request, "frontend/clip.html", context)


def _read_span(request: HttpRequest, match: replays_queries.MatchOverview, reel: MatchFrames) -> tuple[int, int]:
    """Return the numbers of the first and the last requested frame of a clip.

    By default, the clip shows the newest `MAX_MOMENTS` frames. Raises BadRequest for invalid numbers or too many
    frames, and Http404 if the match does not have these frames.
    """
    until = read_frame_number(request, "until", reel.length - 1)
    first = read_frame_number(request, "from", max(0, until - MAX_MOMENTS + 1))
    make_moment(match, reel, until)
    if not 0 <= until - first < MAX_MOMENTS:
        raise BadRequest(
            gettext("from, until: a clip goes from one frame to a later one, over %(most)s at most")
            % {"most": MAX_MOMENTS}
        )
    return first, until


def _read_stored(name: str) -> bytes | None:
    """Return a cached clip, or None if it is not cached."""
    try:
        return (settings.CLIPS_FOLDER / f"{name}.webp").read_bytes()
    except FileNotFoundError:
        return None


def _render(name: str, moments: Sequence[GameTablePictureContent]) -> bytes:
    """Return a clip from the cache, or encode and cache it."""
    # Deletes the oldest clips beyond the setting `CLIPS`.
    if (kept := _read_stored(name)) is not None:
        return kept
    drawn, folder = encode_clip(moments), Path(settings.CLIPS_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
        file.write(drawn)
    Path(file.name).replace(folder / f"{name}.webp")  # atomically: nobody reads half a clip
    _delete_oldest(folder, settings.CLIPS)
    return drawn


def _delete_oldest(folder: Path, max_files: int) -> None:
    """Delete the oldest files of a folder, so that at most `max_files` remain."""
    # Files may disappear meanwhile, because other processes delete files too.
    files_by_age: list[tuple[float, Path]] = []
    for file in folder.iterdir():
        try:
            files_by_age.append((file.stat().st_mtime, file))
        except FileNotFoundError:
            continue
    for _, file in sorted(files_by_age)[: max(0, len(files_by_age) - max_files)]:
        file.unlink(missing_ok=True)
