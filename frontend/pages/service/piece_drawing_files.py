"""Files with which a plug-in draws the pieces of its game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ftk_core.kit.plugin_piece_drawings import CONTENT_TYPES, list_piece_files, list_piece_modules


@require_safe
def file(request: HttpRequest, game: str, digest: str, name: str) -> HttpResponse:
    """Return a file with which a plug-in draws the pieces of its game.

    Raises Http404 if the file name is unknown or the hash in the URL is outdated.
    """
    # Browsers may cache a file for a year, because the hash changes with any of the game's piece files.
    del request
    path = list_piece_files(game).get(name) if list_piece_modules().get(game) == digest else None
    if path is None:
        raise Http404(_("the game %(game)s has no file %(name)s for its pieces") % {"game": game, "name": name})
    answer = HttpResponse(path.read_bytes(), content_type=CONTENT_TYPES[path.suffix])
    answer["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer
