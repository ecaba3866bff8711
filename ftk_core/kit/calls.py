"""HTTP client for an arena's REST interface, with error messages for people."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ftk_core.kit.tokens import is_token
from ftk_core.kit.tongue import asked

LONGEST_PAUSE_SECONDS = 30
REMEDY = "give the arena's address by --server or FTK_SERVER"


class Refused(Exception):
    """Raised when a server refuses a request; the message gives the reason and the remedy."""

    def __init__(self, message: str, code: str = "") -> None:
        """Store the message, and the server's error code if it sent one."""
        super().__init__(message)
        self.code = code


class TooMany(Refused):
    """Raised for HTTP 429: retry after `seconds`."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class NoRedirects(HTTPRedirectHandler):
    """A handler that refuses redirects, so that a token is only sent to the server that was named."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        """Return None, so that the redirect becomes an HTTPError."""


def check_server(server: str) -> str:
    """Return a server's address without a trailing slash; raises Refused for an invalid one."""
    server = server.rstrip("/")
    try:
        where = urlsplit(server)
        known = where.scheme in ("http", "https") and bool(where.hostname) and where.port != 0
    except ValueError:
        known = False
    if not known or not server.isascii() or not server.isprintable() or " " in server:
        raise Refused(f"{server!r} is no address like http://127.0.0.1:8000; {REMEDY}")
    return server


def check_token(token: str) -> None:
    """Raise Refused for a malformed token; the message does not contain the token."""
    if not is_token(token):
        raise Refused("this is no token: a letter of it is missing or wrong; copy it once more, or `ftk login`")


def call(
    url: str,
    token: str = "",
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
    method: str | None = None,
) -> dict[str, Any]:
    """Send a request and return the JSON object in the response; raises Refused."""
    said = fetch(url, token, body, headers, method)
    server = _server_of(url)
    try:
        answer = json.loads(said) if said else {}
    except ValueError as error:
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}") from error
    if not isinstance(answer, dict):
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}")
    return answer


def _server_of(url: str) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


def fetch(
    url: str,
    token: str = "",
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
    method: str | None = None,
) -> bytes:
    """Send a request and return the response body; raises Refused."""
    shown = {"Accept-Language": "zh-Hant" if asked(os.environ) else "en"}
    if token:
        shown["Authorization"] = f"Token {token}"
    request = Request(url, body, {**shown, **(headers or {})}, method=method)  # noqa: S310 - http, see `check_server`
    server = _server_of(url)
    try:
        with build_opener(NoRedirects).open(request, timeout=60) as response:
            said: bytes = response.read()
    except HTTPError as error:
        raise _refusal(server, error) from error
    except ValueError as error:
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}") from error
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        why = getattr(reason, "strerror", None) or reason
        raise Refused(f"no arena answers at {server} ({why}): is it running? Else {REMEDY}") from error
    return said


def awaited(
    url: str,
    token: str,
    answer: dict[str, Any],
    over: Callable[[dict[str, Any]], bool],
    *,
    pause: float,
    patience: float = math.inf,
) -> dict[str, Any]:
    """Poll every `pause` seconds until `over(answer)` or until `patience` seconds have passed; return the last answer.

    Waits longer if the server answers HTTP 429. Raises Refused.
    """
    deadline = time.monotonic() + patience
    while not over(answer) and time.monotonic() < deadline:
        time.sleep(pause)
        try:
            answer = call(url, token)
        except TooMany as error:
            time.sleep(min(error.seconds, LONGEST_PAUSE_SECONDS))
    return answer


def _refusal(server: str, error: HTTPError) -> Refused:
    """Return the server's error message with a remedy, but never an HTML page."""
    said, code = _detail(error.read(1 << 16))
    if error.code == 401 or (error.code == 403 and not said):
        why = said or "the server does not know this token"
        return Refused(f"{why} (`ftk login {server}` gets a new one, or make a new one at {server}/account/)")
    if error.code == 429:
        seconds = error.headers.get("Retry-After", "")
        wait = int(seconds) if seconds.isdecimal() else LONGEST_PAUSE_SECONDS
        return TooMany(said or f"too many requests; try again in {wait} s", wait)
    if onward := error.headers.get("Location", ""):
        return Refused(f"{server} sends everybody to {onward[:100]}; {REMEDY}")
    if not said:
        return Refused(f"{server} answers {error.code} {error.reason}, but not as an arena does; {REMEDY}")
    return Refused(f"{error.code}: {said}", code)


def _detail(body: bytes) -> tuple[str, str]:
    """Return the error message as one line, and OAuth's error code; empty if the body is not an arena's error."""
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
        f"{field}: {' '.join(map(str, said)) if isinstance(said, list) else said}" for field, said in answer.items()
    ), ""
