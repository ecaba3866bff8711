"""Helpers that many views share: decorators for HTTP errors and for the sign-in, and titles of matches."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from foundation.game_titles import get_game_title
from foundation.keyset_pagination import InvalidCursorError
from foundation.storage_errors import StorageUnavailable
from ftk_core.games import UnknownGameError
from ftk_core.plugins import MissingPluginError
from replays.match_access import MatchViewForbiddenError
from replays.queries import MatchOverview

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponse]


def handle_missing(page: Page[P]) -> Page[P]:
    """Decorate a view so that exceptions of queries become HTTP errors.

    * 404: The object does not exist, or its plug-in is not installed.
    * 403: The user may not see the match.
    * 400: The cursor of a list is invalid.
    * 502 or 503: The archived log of the match cannot be read.
    """

    @wraps(page)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return page(request, *args, **kwargs)
        except (ObjectDoesNotExist, UnknownGameError) as error:
            raise Http404(str(error)) from error
        except MissingPluginError as error:
            return HttpResponse(f"{error}\n", status=404, content_type="text/plain; charset=utf-8")
        except MatchViewForbiddenError as error:
            return HttpResponse(f"{error}\n", status=403, content_type="text/plain; charset=utf-8")
        except StorageUnavailable as error:
            return HttpResponse(f"{error}\n", status=error.status, content_type="text/plain; charset=utf-8")
        except InvalidCursorError as error:
            raise BadRequest(gettext("after: %(error)s") % {"error": error}) from error

    return wrapped


def redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page, which leads back to the requested page."""
    # A request that would change something is not repeated, and its address may have no page.
    if request.method not in ("GET", "HEAD"):
        return redirect("account_login")
    return redirect_to_login(request.get_full_path())


def require_sign_in(page: Callable[Concatenate[HttpRequest, User, P], HttpResponse]) -> Page[P]:
    """Decorate a view so that it is called with the signed-in user. Redirect everybody else to the sign-in page."""

    @wraps(page)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not isinstance(request.user, User):
            return redirect_to_sign_in(request)
        return page(request, request.user, *args, **kwargs)

    return wrapped


def make_title(page: MatchOverview) -> str:
    """Return the title of a match: its game and the names of its players."""
    return f"{get_game_title(page.game)}: {', '.join(player.name for player in page.players)}"
