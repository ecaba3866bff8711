"""Declaration of the query parameters of views, and checks of text in URLs and forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import unquote

from django.core.exceptions import BadRequest, ValidationError as Impossible
from django.db import DataError
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from foundation.problem_details import is_api_request
from foundation.response_language import LANGUAGE_PARAMETER
from ftk_core.kit.client.api_token_format import redact_tokens

V = TypeVar("V", bound=Callable[..., Any])
TRACKING_PREFIXES = ("utm_", "fbclid", "gclid")
"""Prefixes of query parameters that other sites add to links. Such parameters are ignored."""
MAX_PAGE_ROWS = 500
ANY_PARAMETER = "*"


def query_parameters(*words: str) -> Callable[[V], V]:
    """Return a decorator that declares the query parameters of a view. ANY_PARAMETER allows every parameter."""

    def mark(view: V) -> V:
        view.words = words  # type: ignore[attr-defined]  # the type of a function does not declare attributes
        return view

    return mark


class QueryParameterCheckMiddleware(MiddlewareMixin):
    """Middleware that refuses undeclared query parameters, so that a misspelt filter does not return all rows."""

    def process_view(self, request: HttpRequest, view: Callable[..., Any], _args: Any, _kwargs: Any) -> None:
        """Raise BadRequest for undeclared query parameters, NUL characters, or an API token in the URL."""
        # The database cannot store NUL. Others can read URLs, and with them a token.
        for name, text in _list_texts(request):
            if "\0" in text:
                where = name.replace("\0", "")[:60] or gettext("the address")
                raise BadRequest(gettext("there is a NUL in %(where)r") % {"where": where})
        if redact_tokens(address := unquote(request.get_full_path())) != address:
            raise BadRequest(gettext("a token has no place in an address, which others can read: revoke it"))
        known = parameters_of(view, request)
        if ANY_PARAMETER in known:
            return
        for parameter in request.GET:
            if (
                parameter not in known
                and not parameter.startswith(TRACKING_PREFIXES)
                and (parameter != LANGUAGE_PARAMETER or is_api_request(request))
            ):
                may = {"word": parameter[:60], "may": _describe_known(known)}
                raise BadRequest(gettext("the parameter %(word)r is unknown here; %(may)s") % may)


def _describe_known(known: tuple[str, ...]) -> str:
    if not known:
        return gettext("this address takes no parameters")
    return gettext("the known parameters are %(words)s") % {"words": ", ".join(known)}


def _list_texts(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield (field name, text) for each text in the path, the query string and the form of a request."""
    # The path has an empty field name.
    yield "", request.path
    for fields in (request.GET,) if is_api_request(request) else (request.GET, request.POST):
        for name, values in fields.lists():
            yield from ((name, text) for text in (name, *values))


def parameters_of(view: Any, request: HttpRequest) -> tuple[str, ...]:
    """Return the query parameters that a view accepts, such as the filters of a REST list."""
    view_class = getattr(view, "cls", None)
    if view_class is None:
        return tuple(getattr(view, "words", ()))
    method = "get" if request.method == "HEAD" else (request.method or "").lower()
    action = (getattr(view, "actions", None) or {}).get(method, method)
    if action == "list":
        pages = view_class.pagination_class
        fields = (*getattr(view_class, "filterset_fields", ()), *getattr(view_class, "more_fields", ()))
        return (*fields, pages.page_size_query_param, pages.cursor_query_param)
    return tuple(getattr(getattr(view_class, action, None), "words", getattr(view_class, "words", ())))


class StrictCursorPagination(CursorPagination):
    """Cursor pagination with the parameters `after` and `limit`. A `limit` out of range is an error."""

    cursor_query_param = "after"
    page_size_query_param = "limit"
    max_page_size = MAX_PAGE_ROWS

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return the rows after the cursor. Raises ValidationError if the cursor does not belong to this list."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, Impossible, ValueError, DataError):
            raise ValidationError(
                {"after": gettext("this cursor does not come from this list; start again without a cursor")}
            ) from None

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:  # noqa: ARG002 - as in DRF
        """Return the view's sort columns."""
        # The last column must be unique, so that a cursor identifies one row.
        return tuple(view.ordering)

    def get_page_size(self, request: Request) -> int | None:
        """Return the requested page size, or the default size; raises ValidationError."""
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return self.page_size
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MAX_PAGE_ROWS):
            raise ValidationError(
                {
                    "limit": gettext("a whole number from 1 to %(most)s, not %(text)r")
                    % {"most": MAX_PAGE_ROWS, "text": text[:40]}
                }
            )
        return int(text)
