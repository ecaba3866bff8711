"""API errors as RFC 9457 problem documents."""

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
"""Path prefix of the API, where errors are problem documents."""
PATHS = 20
"""Maximum number of fields named in one problem."""

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
"""Names of statuses (RFC 9110) that have translations; all others are in English."""


class Unchanged(ConditionalGetMiddleware):
    """Middleware that adds an ETag to API responses and answers 304 where it matches."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Skip pages, because each contains a new CSRF token."""
        if not for_programs(request) or "no-store" in response.get("Cache-Control", ""):
            return response
        return super().process_response(request, response)


def for_programs(request: HttpRequest) -> bool:
    """Return True if the request is for the API."""
    return request.path.startswith(API)


def title_of(status: int) -> str:
    """Return the name of a status in the current language. Programs compare the number."""
    return gettext(TITLES.get(status) or HTTPStatus(status).phrase)


def problem_of(status: int, detail: str, errors: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """Return a problem document. `detail` names the remedy; `errors` has messages by field."""
    said = {"type": "about:blank", "title": title_of(status), "status": status, "detail": detail}
    return said | ({"errors": errors} if errors else {})


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> HttpResponse:
    """Return a problem response outside REST views."""
    return JsonResponse(problem_of(status, detail), status=status, content_type=TYPE, headers=headers)


def refused(status: int, code: str, detail: str) -> Response:
    """Return a REST response with a problem and an error code for programs."""
    return Response(problem_of(status, detail) | {"code": code}, status, content_type=TYPE)


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Convert an exception of a REST view into a response; return None for errors of ours."""
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
    """Return messages by field; nested fields are like `stages.0.seats`, and the empty key is for the whole."""
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
