"""Error pages, and problem documents for programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views import defaults

from foundation.problems import for_programs, problem


def hung_up(handler: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Close the database connection opened for an error page.

    Under ASGI Django renders it in another thread of the loop's pool than the request, at whose end connections are
    closed: the thread would keep one for as long as it lives.
    """

    @wraps(handler)
    def drawn(request: HttpRequest, *words: Any, **named: Any) -> HttpResponse:
        idle = connection.connection is None
        try:
            return handler(request, *words, **named)
        finally:
            if idle:
                connection.close()

    return drawn


@hung_up
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 with the reason."""
    said = str(exception)[:300]
    if for_programs(request):
        return problem(400, said)
    return render(request, "400.html", {"said": said}, status=400)


@hung_up
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404; for the API as a problem document."""
    if for_programs(request):
        return problem(404, gettext("nothing has this address; /api/v1/schema/ lists what has"))
    return defaults.page_not_found(request, exception)


forbidden = hung_up(defaults.permission_denied)
"""View that answers 403."""
broken = hung_up(defaults.server_error)
"""View that answers 500."""
