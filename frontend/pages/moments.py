"""Moment of a match, named in the URL by a frame number as in the viewer."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from frontend.drawing.table import Moment
from ftk_core.reel import Reel
from replays.queries import MatchOverview

MOST_DIGITS = 9


def number_in(request: HttpRequest, word: str, default: int) -> int:
    """Return the frame number in the URL; raises BadRequest if it is invalid."""
    text = request.GET.get(word)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        raise BadRequest(
            gettext("%(word)s: the number of a frame, such as 12, not %(text)r") % {"word": word, "text": text[:40]}
        )
    return int(text)


def moment_of(match: MatchOverview, reel: Reel, at: int) -> Moment:
    """Return the moment after a frame; raises Http404 if it does not exist (yet)."""
    try:
        say, scene = reel.moment(at)
    except IndexError as error:
        raise Http404(str(error)) from error
    return Moment(game=match.game, title=match.game_title, names=reel.names, at=at, say=say, scene=scene)
