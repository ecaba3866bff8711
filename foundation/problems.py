"""What is answered to a program that asks for what cannot be: a problem in the words of RFC 9457."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.translation import gettext, gettext_noop
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from foundation.unavailable import Unavailable

TYPE = "application/problem+json"
API = "/api/"
"""Under it programs ask, and are answered with problems."""
PATHS = 20
"""So many fields are named at most."""

TITLES = {
    400: gettext_noop("Bad Request"),
    401: gettext_noop("Unauthorized"),
    403: gettext_noop("Forbidden"),
    404: gettext_noop("Not Found"),
    405: gettext_noop("Method Not Allowed"),
    406: gettext_noop("Not Acceptable"),
    409: gettext_noop("Conflict"),
    412: gettext_noop("Precondition Failed"),
    415: gettext_noop("Unsupported Media Type"),
    429: gettext_noop("Too Many Requests"),
    502: gettext_noop("Bad Gateway"),
    503: gettext_noop("Service Unavailable"),
}
"""The names of RFC 9110 that catalogues know; what has no name here is named in English."""


class Unchanged(ConditionalGetMiddleware):
    """Gives what programs are answered an ETag, and answers 304 to whoever has seen it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Leave pages alone: each has a word of its own against forged forms."""
        if not for_programs(request) or "no-store" in response.get("Cache-Control", ""):
            return response
        return super().process_response(request, response)


def for_programs(request: HttpRequest) -> bool:
    """Tell whether a request is a program's."""
    return request.path.startswith(API)


def title_of(status: int) -> str:
    """Return the name of a status in the tongue that is spoken; programs compare the number."""
    return gettext(TITLES.get(status) or HTTPStatus(status).phrase)


def problem_of(status: int, detail: str, errors: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """Return a problem: what is wrong, in a sentence that names the remedy; `errors` by the fields they are in."""
    said = {"type": "about:blank", "title": title_of(status), "status": status, "detail": detail}
    return said | ({"errors": errors} if errors else {})


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> HttpResponse:
    """Return the answer that tells a problem where no REST view is asked."""
    return JsonResponse(problem_of(status, detail), status=status, content_type=TYPE, headers=headers)


def refused(status: int, code: str, detail: str) -> Response:
    """Return the answer of a REST view that tells a problem with a short word for programs."""
    return Response(problem_of(status, detail) | {"code": code}, status, content_type=TYPE)


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer what a REST view raises; None is for faults of ours."""
    if isinstance(error, Unavailable):
        return refused(error.status, error.code, str(error))
    answer = exception_handler(error, context)
    if answer is None:
        return None
    errors: dict[str, list[str]] = {}
    if isinstance(error, ValidationError):
        errors = dict(list(_by_field(error.detail).items())[:PATHS])
        plain = [text for field, texts in errors.items() for text in texts if field in ("", "detail")]
        named = [f"{field}: {' '.join(texts)}" for field, texts in errors.items() if field not in ("", "detail")]
        detail = " ".join((*plain, *named))
        errors = {field: texts for field, texts in errors.items() if field not in ("", "detail")}
    elif isinstance(error, Http404 | PermissionDenied):
        detail = str(error) or title_of(answer.status_code)
    else:
        assert isinstance(error, APIException)
        detail = str(error.detail)
    answer.data = problem_of(answer.status_code, detail, errors)
    answer.content_type = TYPE
    return answer


def _by_field(detail: Any, path: str = "") -> dict[str, list[str]]:
    """Return what is wrong by field, those within others as `stages.0.seats`; the whole's own is the empty one."""
    if isinstance(detail, ErrorDetail | str):
        return {path: [str(detail)]}
    found: dict[str, list[str]] = {}
    pairs = detail.items() if isinstance(detail, dict) else enumerate(detail)
    for name, value in pairs:
        plain = isinstance(value, ErrorDetail | str) or name == "non_field_errors"
        inner = path if (plain and not isinstance(detail, dict)) or name == "non_field_errors" else f"{path}.{name}"
        for field, texts in _by_field(value, inner.strip(".")).items():
            found.setdefault(field, []).extend(texts)
    return found
