"""Helpers of all pages: the handling of missing objects, and the title of a match."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import BadRequest, ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext

from foundation.paging import BadCursor
from foundation.unavailable import Unavailable
from ftk_core.games import UnknownGame
from replays.access import EyesClosed
from replays.queries import MatchOverview

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponse]


def found(page: Page[P]) -> Page[P]:
    """Wrap a page: answer 404 for an unknown name, and 403 for a match that is not released.

    A match whose archived log cannot be read is answered with 502 or 503 and the reason.
    """

    @wraps(page)
    def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return page(request, *args, **kwargs)
        except (ObjectDoesNotExist, UnknownGame) as error:
            raise Http404(str(error)) from error
        except EyesClosed as error:
            return HttpResponse(f"{error}\n", status=403, content_type="text/plain; charset=utf-8")
        except Unavailable as error:
            return HttpResponse(f"{error}\n", status=error.status, content_type="text/plain; charset=utf-8")
        except BadCursor as error:
            raise BadRequest(gettext("after: %(error)s") % {"error": error}) from error

    return asked


def title_of(page: MatchOverview) -> str:
    """Return the title of a match: the game and its players."""
    return f"{page.game_title}: {', '.join(player.name for player in page.players)}"
