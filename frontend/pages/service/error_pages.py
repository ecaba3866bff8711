"""Error pages: HTML for browsers, and problem documents (RFC 9457) for API clients."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views import defaults

from foundation.problem_details import is_api_request, problem_response


def close_connection_after(handler: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate the view of an error page so that it closes a database connection that it has opened."""
    # Under ASGI, Django renders error pages in another thread than the request, and closes only the connections of the
    # request's thread.

    @wraps(handler)
    def wrapped(request: HttpRequest, *words: Any, **named: Any) -> HttpResponse:
        idle = connection.connection is None
        try:
            return handler(request, *words, **named)
        finally:
            if idle:
                connection.close()

    return wrapped


@close_connection_after
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 with the reason, as an HTML page or as an API error."""
    said = str(exception)[:300]
    if is_api_request(request):
        return problem_response(400, said)
    return render(request, "400.html", {"said": said}, status=400)


@close_connection_after
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404: a problem document for requests to the API, an HTML page for all others."""
    if is_api_request(request):
        return problem_response(
            404, gettext("nothing is at this address; /api/v1/schema/ lists all addresses of the API")
        )
    return defaults.page_not_found(request, exception)


forbidden = close_connection_after(defaults.permission_denied)
"""View that answers 403 with a page."""


@close_connection_after
def broken(request: HttpRequest) -> HttpResponse:
    """Answer 500: a problem document for requests to the API, an HTML page for all others."""
    if is_api_request(request):
        return problem_response(500, gettext("the arena failed; its operators can read the reason in its log"))
    return defaults.server_error(request)
