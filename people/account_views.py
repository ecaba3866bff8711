"""Wrappers around allauth's views that check sessions and query parameters and limit request rates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.urls.resolvers import RoutePattern
from django.utils.translation import gettext

from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, too_many_requests
from people.login_sessions import is_token_session

View = Callable[..., HttpResponse]
RETRY_AFTER_SECONDS = 60
"""Value of Retry-After when allauth's own rate limits refuse a request; allauth does not tell the remaining time."""
REDIRECT_PARAMETERS = ("next",)
"""Query parameters with the URL to which allauth redirects after the form."""


def wrap_view(view: View, *parameters: str, scope: str = "", public: bool = False) -> View:
    """Wrap one of allauth's views with checks of its query parameters and a rate limit.

    Unless `public` is True, the view refuses people who signed in with an API token.
    """
    # By setting a password there, a token's holder would get more rights than the token gives. An empty `scope` means
    # no rate limit.

    @wraps(view)
    def wrapped(request: HttpRequest, /, *args: Any, **kwargs: Any) -> HttpResponse:
        if not public:
            _refuse_token_session(request)
        _check_redirect(request)
        return view(request, *args, **kwargs)

    return query_parameters(*parameters)(rate_limited(scope)(wrapped) if scope else wrapped)


def _refuse_token_session(request: HttpRequest) -> None:
    if is_token_session(request):
        raise PermissionDenied(
            gettext(
                "you signed in with a token, which cannot change how you sign in; sign out and sign in with your"
                " password or a passkey, or ask the organisers to add your mail address"
            )
        )


def _check_redirect(request: HttpRequest) -> None:
    """Raise BadRequest if a redirect URL in the request cannot be parsed."""
    # allauth itself refuses redirects to other sites.
    for parameter in REDIRECT_PARAMETERS:
        try:
            urlsplit(request.GET.get(parameter, "") or request.POST.get(parameter, ""))
        except ValueError as error:
            raise BadRequest(gettext("the value of %(word)r is not a valid address") % {"word": parameter}) from error


def wrap_urls(
    entries: Iterable[URLPattern | URLResolver], scope: str, parameters: tuple[str, ...] = REDIRECT_PARAMETERS
) -> list[Any]:
    """Return the same URL patterns with all views wrapped by `wrap_view`."""
    return [_wrap_entry(entry, scope, parameters) for entry in entries]


def _wrap_entry(entry: URLPattern | URLResolver, scope: str, parameters: tuple[str, ...]) -> URLPattern | URLResolver:
    route, make_path = str(entry.pattern), path if isinstance(entry.pattern, RoutePattern) else re_path
    if isinstance(entry, URLResolver):
        return make_path(route, include(wrap_urls(entry.url_patterns, scope, parameters)))
    return make_path(route, wrap_view(entry.callback, *parameters, scope=scope), name=entry.name)


def refuse_rate_limited(_request: HttpRequest) -> HttpResponse:
    """Return HTTP 429 for a request that exceeds one of allauth's own rate limits."""
    return too_many_requests(RETRY_AFTER_SECONDS)
