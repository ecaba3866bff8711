"""Query parameters that select a moment (frame) of a match by its number, counted from 0."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from frontend.drawing.game_table_picture import GameTablePictureContent
from frontend.drawing.picture_branding import read_picture_brand
from ftk_core.match_replay_frames import MatchFrames
from replays.queries import MatchOverview

MAX_DIGITS = 9


def read_frame_number(request: HttpRequest, parameter: str, default: int) -> int:
    """Read the number of a moment of a match from a query parameter. Raises BadRequest if it is invalid."""
    text = request.GET.get(parameter)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        raise BadRequest(
            gettext("%(word)s: the number of a frame, such as 12, not %(text)r")
            % {"word": parameter, "text": text[:40]}
        )
    return int(text)


def make_moment(match: MatchOverview, reel: MatchFrames, at: int) -> GameTablePictureContent:
    """Return the content for a picture of the game table at one moment of a match.

    Raises Http404 if the match has no such moment yet.
    """
    try:
        say, scene = reel.moment(at)
    except IndexError as error:
        raise Http404(str(error)) from error
    return GameTablePictureContent(
        game=match.game,
        title=match.game_title,
        names=reel.names,
        at=at,
        say=say,
        scene=scene,
        brand=read_picture_brand(),
    )
