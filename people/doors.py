"""allauth's views as doors of ours: each says which words it reads, and is held to an allowance of all processes."""

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
"""After so long whoever was refused by allauth's own counts, which do not say how long, may ask again."""
ONWARD = ("next",)
"""The word behind which allauth reads where to go on to."""


def door(view: View, *words: str, scope: str = "") -> View:
    """Return a view that reads these words, and whose POSTs are held to a scope if one is named."""

    @wraps(view)
    def opened(request: HttpRequest, /, *args: Any, **kwargs: Any) -> HttpResponse:
        _check_onward(request)
        return view(request, *args, **kwargs)

    return asks(*words)(throttled(scope)(opened) if scope else opened)


def _check_onward(request: HttpRequest) -> None:
    """Raise BadRequest for what cannot be read as an address; one that leads elsewhere allauth does not follow."""
    for word in ONWARD:
        try:
            urlsplit(request.GET.get(word, "") or request.POST.get(word, ""))
        except ValueError as error:
            raise BadRequest(gettext("what stands behind %(word)r is no address") % {"word": word}) from error


def doors(entries: Iterable[URLPattern | URLResolver], scope: str, words: tuple[str, ...] = ONWARD) -> list[Any]:
    """Return addresses that lead where these lead, through doors."""
    return [_again(entry, scope, words) for entry in entries]


def _again(entry: URLPattern | URLResolver, scope: str, words: tuple[str, ...]) -> URLPattern | URLResolver:
    route, leads = str(entry.pattern), path if isinstance(entry.pattern, RoutePattern) else re_path
    if isinstance(entry, URLResolver):
        return leads(route, include(doors(entry.url_patterns, scope, words)))
    return leads(route, door(entry.callback, *words, scope=scope), name=entry.name)


def too_often(_request: HttpRequest) -> HttpResponse:
    """Refuse whoever allauth found to ask too often."""
    return refusal(COOL_SECONDS)
