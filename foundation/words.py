"""Known query parameters. Unknown and invalid ones are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import unquote

from django.core.exceptions import BadRequest
from django.core.exceptions import ValidationError as Impossible
from django.db import DataError
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from foundation.problems import for_programs
from foundation.tongues import ASKED
from ftk_core.kit.tokens import hidden

V = TypeVar("V", bound=Callable[..., Any])
TRACKING = ("utm_", "fbclid", "gclid")
"""Query parameters that other sites add to links; ignored."""
MOST_ROWS = 500
ANYTHING = "*"


def asks(*words: str) -> Callable[[V], V]:
    """Declare the query parameters of a view; ANYTHING is for a view that checks them itself."""

    def mark(view: V) -> V:
        view.words = words  # type: ignore[attr-defined]  # a function may carry attributes, which its type does not say
        return view

    return mark


class KnownWords(MiddlewareMixin):
    """Middleware that refuses unknown query parameters: a misspelt filter must not return everything."""

    def process_view(self, request: HttpRequest, view: Callable[..., Any], _args: Any, _kwargs: Any) -> None:
        """Raise BadRequest, which names the parameter but never a token."""
        for text in (request.path, *request.GET, *(value for _, row in request.GET.lists() for value in row)):
            if "\0" in text:
                named = next((word for word in request.GET if "\0" in "".join((word, *request.GET.getlist(word)))), "")
                where = named.replace(chr(0), "")[:60] or gettext("the address")
                raise BadRequest(gettext("there is a NUL in %(where)r") % {"where": where})
        if hidden(address := unquote(request.get_full_path())) != address:
            raise BadRequest(gettext("a token has no place in an address, which others can read: revoke it"))
        known = words_of(view, request)
        if ANYTHING in known:
            return
        for word in request.GET:
            if word not in known and not word.startswith(TRACKING) and (word != ASKED or for_programs(request)):
                there = gettext("nothing can be asked for there")
                may = gettext("known are %(words)s") % {"words": ", ".join(known)} if known else there
                raise BadRequest(gettext("%(word)r is not known here; %(may)s") % {"word": word[:60], "may": may})


def words_of(view: Any, request: HttpRequest) -> tuple[str, ...]:
    """Return the query parameters of a view; for a REST list these are its filters and its pagination."""
    door = getattr(view, "cls", None)
    if door is None:
        return tuple(getattr(view, "words", ()))
    action = (getattr(view, "actions", None) or {}).get((request.method or "").lower(), "")
    if action == "list":
        pages = door.pagination_class
        fields = (*getattr(door, "filterset_fields", ()), *getattr(door, "more_fields", ()))
        return (*fields, pages.page_size_query_param, pages.cursor_query_param)
    return tuple(getattr(getattr(door, action, None), "words", getattr(door, "words", ())))


class Pages(CursorPagination):
    """Pagination by the cursor `after`, so that new rows shift nothing, and by `limit`, which is never clamped."""

    cursor_query_param = "after"
    page_size_query_param = "limit"
    max_page_size = MOST_ROWS

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return the rows after the cursor; raises ValidationError for a cursor that this list did not create."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, Impossible, ValueError, DataError):
            raise ValidationError({"after": gettext("this list did not hand out such a cursor")}) from None

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:  # noqa: ARG002 - called so
        """Return the sort columns of the view; the last one is unique."""
        return tuple(view.ordering)

    def get_page_size(self, request: Request) -> int | None:
        """Return the requested page size; raises ValidationError."""
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return self.page_size
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MOST_ROWS):
            raise ValidationError(
                {
                    "limit": gettext("a whole number from 1 to %(most)s, not %(text)r")
                    % {"most": MOST_ROWS, "text": text[:40]}
                }
            )
        return int(text)
