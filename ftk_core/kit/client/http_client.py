"""HTTP client for a server's REST API, with error messages for people."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from gettext import gettext as _
from http.client import HTTPException
from ssl import SSLError
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ftk_core.i18n import N_
from ftk_core.kit.client.api_token_format import is_token
from ftk_core.kit.i18n.locale import choose_language

MAX_PAUSE_SECONDS = 30
MAX_OUTAGE_SECONDS = 300
"""Seconds for which `poll_until` polls an unavailable server before it raises an error."""
REMEDY = N_("give the arena's address by --server or FTK_SERVER")


class RequestError(Exception):
    """Raised if a request is refused, not answered, or not sent. The message gives reason and remedy."""

    def __init__(self, message: str, code: str = "") -> None:
        """Store the message, and the server's error code if it sent one."""
        super().__init__(message)
        self.code = code


class RateLimitExceeded(RequestError):
    """Raised for HTTP 429: retry after `seconds`."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class ServerUnavailableError(RequestError):
    """Raised if a server does not answer, or answers with a status of 500 or more: it may answer later."""


class NoRedirectHandler(HTTPRedirectHandler):
    """A urllib handler that refuses redirects."""

    # A token must only be sent to the server that the user named.

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        """Return None, so that urllib raises the redirect as an HTTPError."""


def check_server(server: str) -> str:
    """Return a server's address without a trailing slash; raises RequestError for an invalid address."""
    server = server.rstrip("/")
    try:
        where = urlsplit(server)
        known = where.scheme in ("http", "https") and bool(where.hostname) and where.port != 0
    except ValueError:
        known = False
    if not known or not server.isascii() or not server.isprintable() or " " in server:
        raise RequestError(
            _("{server} is not an address like http://127.0.0.1:8000; {remedy}").format(
                server=repr(server), remedy=_(REMEDY)
            )
        )
    if server != (address := _server_of(server)):
        raise RequestError(
            _("{server} is the address of a page: give only the arena's host and port, here {address}").format(
                server=repr(server), address=address
            )
        )
    return server


def check_arena(server: str) -> None:
    """Raise RequestError if no server of this platform answers at a URL."""
    request_json(f"{server}/api/v1/games/")


def check_token(token: str) -> None:
    """Raise RequestError for a malformed token; the message does not contain the token."""
    if not is_token(token):
        raise RequestError(
            _("this is not a token: a letter of it is missing or wrong; copy it once more, or run `ftk login`")
        )


def build_unexpected_answer_error(server: str) -> RequestError:
    """Return a RequestError for a server that runs other software."""
    return RequestError(
        _("{server} answers, but not as an arena does; {remedy}").format(server=server, remedy=_(REMEDY))
    )


def request_json(
    url: str,
    token: str = "",
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
    method: str | None = None,
) -> dict[str, Any]:
    """Send a request and return the JSON object in the response; raises RequestError."""
    response_body = request_bytes(url, token, body, headers, method)
    server = _server_of(url)
    try:
        answer = json.loads(response_body) if response_body else {}
    except ValueError as error:
        raise build_unexpected_answer_error(server) from error
    if not isinstance(answer, dict):
        raise build_unexpected_answer_error(server)
    return answer


def _server_of(url: str) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


def request_bytes(
    url: str,
    token: str = "",
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
    method: str | None = None,
) -> bytes:
    """Send a request and return the response body; raises RequestError."""
    shown = {"Accept-Language": choose_language(os.environ).tag}
    if token:
        shown["Authorization"] = f"Token {token}"
    request = Request(url, body, {**shown, **(headers or {})}, method=method)  # noqa: S310 - http, see `check_server`
    server = _server_of(url)
    try:
        with build_opener(NoRedirectHandler).open(request, timeout=60) as response:
            response_body: bytes = response.read()
    except HTTPError as error:
        with error:
            refusal = _refusal(server, error)
        raise refusal from error
    except ValueError as error:
        raise build_unexpected_answer_error(server) from error
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, SSLError) and reason.reason == "WRONG_VERSION_NUMBER":
            raise RequestError(
                _("{server} does not speak https; try {address}").format(
                    server=server, address=f"http{server.removeprefix('https')}"
                )
            ) from error
        cause = _(str(getattr(reason, "strerror", None) or reason))
        raise ServerUnavailableError(
            _("no arena answers at {server} ({cause}): check that it is running, or {remedy}").format(
                server=server, cause=cause, remedy=_(REMEDY)
            )
        ) from error
    return response_body


def poll_until(
    url: str,
    token: str,
    answer: dict[str, Any],
    over: Callable[[dict[str, Any]], bool],
    *,
    pause: float,
    patience: float = math.inf,
) -> dict[str, Any]:
    """Request `url` repeatedly until a response satisfies `over`, and return the newest response.

    `answer` is a response that the caller already has. If it satisfies `over`, no request is sent. `pause` is the time
    between two requests, in seconds. Stop after `patience` seconds, even if no response satisfies `over`. A server that
    is unavailable is asked again for `MAX_OUTAGE_SECONDS`. Raises RequestError.
    """
    # The next pause is longer after HTTP 429 (too many requests), but never ends after `patience`.
    deadline, extra_pause, answered_at = time.monotonic() + patience, 0.0, time.monotonic()
    while not over(answer) and (left := deadline - time.monotonic()) > 0:
        time.sleep(min(left, pause + extra_pause))
        try:
            answer, extra_pause, answered_at = request_json(url, token), 0.0, time.monotonic()
        except RateLimitExceeded as error:
            extra_pause, answered_at = min(error.seconds, MAX_PAUSE_SECONDS), time.monotonic()
        except ServerUnavailableError:
            if time.monotonic() - answered_at > MAX_OUTAGE_SECONDS:
                raise
            extra_pause = pause
    return answer


def _refusal(server: str, error: HTTPError) -> RequestError:
    """Convert an HTTP error to an exception with the server's message and a remedy."""
    detail, code = _error_detail(error.read(1 << 16))
    if error.code == 401 or (error.code == 403 and not detail):
        message = _("{explanation} (`ftk login {server}` gets a new one, or make a new one at {server}/account/)")
        explanation = detail or _("the server does not know this token")
        return RequestError(message.format(explanation=explanation, server=server))
    if error.code == 429:
        seconds = error.headers.get("Retry-After", "")
        wait = int(seconds) if seconds.isdecimal() else MAX_PAUSE_SECONDS
        return RateLimitExceeded(detail or _("too many requests; try again in {wait} s").format(wait=wait), wait)
    if onward := error.headers.get("Location", ""):
        return RequestError(
            _("{server} sends everybody to {address}; {remedy}").format(
                server=server, address=onward[:100], remedy=_(REMEDY)
            )
        )
    kind = ServerUnavailableError if error.code >= 500 else RequestError
    if not detail:
        return kind(
            _("{server} answers {code} {reason}, but not as an arena does; {remedy}").format(
                server=server, code=error.code, reason=error.reason, remedy=_(REMEDY)
            )
        )
    return kind(f"{error.code}: {detail}", code)


def _error_detail(body: bytes) -> tuple[str, str]:
    """Return the message and the OAuth error code from the body of an error response."""
    try:
        answer = json.loads(body)
    except ValueError:
        return "", ""
    if not isinstance(answer, dict):
        return "", ""
    if isinstance(answer.get("error"), str):
        return str(answer.get("error_description", answer["error"])), answer["error"]
    if "detail" in answer:
        return str(answer["detail"]), ""
    return "; ".join(
        f"{field}: {' '.join(map(str, message)) if isinstance(message, list) else message}"
        for field, message in answer.items()
    ), ""
