"""API errors as RFC 9457 problem documents."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext, gettext_noop
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from foundation.storage_errors import StorageUnavailable

CONTENT_TYPE = "application/problem+json"
API_PREFIX = "/api/"
"""Path prefix of the API, where errors are problem documents."""
MAX_NAMED_FIELDS = 20
"""Maximum number of invalid fields listed in one problem document."""

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
"""Translatable names of HTTP statuses (RFC 9110); all other statuses are named in English."""


def is_api_request(request: HttpRequest) -> bool:
    """Return True if the path of a request is within the API."""
    return request.path.startswith(API_PREFIX)


def status_title(status: int) -> str:
    """Return the name of an HTTP status in the active language."""
    return gettext(TITLES.get(status) or HTTPStatus(status).phrase)


def problem_document(status: int, detail: str, errors: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """Return an RFC 9457 problem document as a dict; `errors` maps each invalid field to its messages."""
    document = {"type": "about:blank", "title": status_title(status), "status": status, "detail": detail}
    return document | ({"errors": errors} if errors else {})


def problem_response(status: int, detail: str, headers: dict[str, str] | None = None) -> HttpResponse:
    """Return an HTTP response with a problem document."""
    # For code outside REST views.
    return JsonResponse(problem_document(status, detail), status=status, content_type=CONTENT_TYPE, headers=headers)


def refusal_response(status: int, code: str, detail: str) -> Response:
    """Return a REST response with a problem document. `code` is a stable error code for API clients."""
    return Response(problem_document(status, detail) | {"code": code}, status, content_type=CONTENT_TYPE)


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """Convert an exception of a REST view into a problem response; return None for an unexpected exception."""
    if isinstance(error, StorageUnavailable):
        return refusal_response(error.status, error.code, str(error))
    answer = exception_handler(error, context)
    if answer is None:
        return None
    errors: dict[str, list[str]] = {}
    if isinstance(error, ValidationError):
        errors = dict(list(_messages_by_field(error.detail).items())[:MAX_NAMED_FIELDS])
        unnamed = [text for field, texts in errors.items() for text in texts if field in ("", "detail")]
        named = [f"{field}: {' '.join(texts)}" for field, texts in errors.items() if field not in ("", "detail")]
        detail = " ".join((*unnamed, *named))
        errors = {field: texts for field, texts in errors.items() if field not in ("", "detail")}
    elif isinstance(error, Http404 | PermissionDenied):
        detail = str(error) or status_title(answer.status_code)
    else:
        assert isinstance(error, APIException)
        detail = str(error.detail)
    answer.data = problem_document(answer.status_code, detail, errors)
    answer.content_type = CONTENT_TYPE
    return answer


def _messages_by_field(detail: Any, path: str = "") -> dict[str, list[str]]:
    """Return a dict from the path of each invalid field, such as `stages.0.seats`, to its messages."""
    # Messages about the whole body have the path "".
    if isinstance(detail, ErrorDetail | str):
        return {path: [str(detail)]}
    messages: dict[str, list[str]] = {}
    pairs = detail.items() if isinstance(detail, dict) else enumerate(detail)
    for name, value in pairs:
        is_message = isinstance(value, ErrorDetail | str) or name == "non_field_errors"
        inner_path = (
            path if (is_message and not isinstance(detail, dict)) or name == "non_field_errors" else f"{path}.{name}"
        )
        for field, texts in _messages_by_field(value, inner_path.strip(".")).items():
            messages.setdefault(field, []).extend(texts)
    return messages
