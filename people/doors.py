"""Wrappers for allauth's views: each declares its parameters and has a rate limit shared by all processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.urls.resolvers import RoutePattern
from django.utils.translation import gettext

from foundation.throttles import refusal, throttled
from foundation.words import asks

View = Callable[..., HttpResponse]
COOL_SECONDS = 60
"""Retry-After of a refusal by allauth's own rate limits, which do not say how long it lasts."""
ONWARD = ("next",)
"""Parameter with the address to which allauth redirects afterwards."""


def door(view: View, *words: str, scope: str = "") -> View:
    """Return a view that accepts these parameters, and whose POSTs have the rate limit of `scope`, if given."""

    @wraps(view)
    def opened(request: HttpRequest, /, *args: Any, **kwargs: Any) -> HttpResponse:
        _check_onward(request)
        return view(request, *args, **kwargs)

    return asks(*words)(throttled(scope)(opened) if scope else opened)


def _check_onward(request: HttpRequest) -> None:
    """Raise BadRequest for a redirect address that cannot be parsed; allauth itself refuses foreign ones."""
    for word in ONWARD:
        try:
            urlsplit(request.GET.get(word, "") or request.POST.get(word, ""))
        except ValueError as error:
            raise BadRequest(gettext("what stands behind %(word)r is no address") % {"word": word}) from error


def doors(entries: Iterable[URLPattern | URLResolver], scope: str, words: tuple[str, ...] = ONWARD) -> list[Any]:
    """Return the same URL patterns with all their views wrapped."""
    return [_again(entry, scope, words) for entry in entries]


def _again(entry: URLPattern | URLResolver, scope: str, words: tuple[str, ...]) -> URLPattern | URLResolver:
    route, leads = str(entry.pattern), path if isinstance(entry.pattern, RoutePattern) else re_path
    if isinstance(entry, URLResolver):
        return leads(route, include(doors(entry.url_patterns, scope, words)))
    return leads(route, door(entry.callback, *words, scope=scope), name=entry.name)


def too_often(_request: HttpRequest) -> HttpResponse:
    """Answer a request that exceeds allauth's own rate limits."""
    return refusal(COOL_SECONDS)
