"""Send a bot to a server over its REST interface."""

from __future__ import annotations

import json
import time
import uuid
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from ftk_core.kit.archive import BadUpload
from ftk_core.kit.names import BOT_NAME_RULE, is_bot_name
from ftk_core.kit.packing import packed

TRIAL_SECONDS = 120
"""How long a trial's verdict is waited for."""
PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30
REMEDY = "give the arena's address by --server or FTK_SERVER"


class Refused(Exception):
    """Raised when an upload is not taken; the message says why, and what to do."""


class TooMany(Refused):
    """Raised when the server wants to be asked later."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


def send(server: str, token: str, game: str, bot: str, path: Path) -> dict[str, Any]:
    """Upload a file or a folder as the next version of a bot and return its verdict.

    The verdict is the server's description of the version once its trial is over; its status is still
    ``trial`` if that takes longer than `TRIAL_SECONDS`. Raises Refused, BadUpload, OSError.
    """
    server = server.rstrip("/")
    check_call(server, token, bot)
    if not path.exists():
        raise Refused(f"there is no file or folder {str(path)!r}")
    file, content = packed(path)
    _check_file(file)
    answer = call(f"{server}/api/bots/uploads/", token, *_form(game, bot, file, content))
    deadline = time.monotonic() + TRIAL_SECONDS
    while answer.get("status") == "trial" and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)
        try:
            answer = call(f"{server}/api/bots/versions/{answer['id']}/", token)
        except TooMany as error:
            time.sleep(min(error.seconds, LONGEST_PAUSE_SECONDS))
    if not {"status", "number", "digest", "reason"} <= answer.keys():
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}")
    return answer


def check_call(server: str, token: str, bot: str, bot_word: str = "--bot") -> None:
    """Raise Refused for what no server could take."""
    try:
        where = urlsplit(server)
        known = where.scheme in ("http", "https") and bool(where.hostname) and where.port != 0
    except ValueError:
        known = False
    if not known or not server.isascii() or not server.isprintable() or " " in server:
        raise Refused(f"{server!r} is no address like http://127.0.0.1:8000; {REMEDY}")
    if not token:
        raise Refused(
            f"a token is missing: make one at {server}/account/ (an organiser: `manage.py token NAME`),"
            " then give it by --token or FTK_TOKEN"
        )
    if not (token.isascii() and token.isalnum()):
        raise Refused("this is no token: it consists of letters and digits; copy it from your account page once more")
    if not is_bot_name(bot):
        raise Refused(f"{bot_word} {bot[:60]!r}: {BOT_NAME_RULE}")


def _check_file(file: str) -> None:
    if not file.isprintable() or '"' in file or "\\" in file:
        raise BadUpload("bad_path", f"the file's name {file!r} cannot be sent; call it by letters, digits, - and _")


def _form(game: str, bot: str, file: str, content: bytes) -> tuple[bytes, dict[str, str]]:
    """Return the body and the header of the upload."""
    boundary = uuid.uuid4().hex
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in (("game", game), ("bot", bot))
    )
    disposition = f'Content-Disposition: form-data; name="file"; filename="{file}"\r\n'
    head = f"{fields}--{boundary}\r\n{disposition}Content-Type: application/octet-stream\r\n\r\n"
    body = head.encode(errors="replace") + content + f"\r\n--{boundary}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={boundary}"}


def call(url: str, token: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """Return what the server answers; raises Refused."""
    request = Request(url, body, {"Authorization": f"Token {token}", **(headers or {})})  # noqa: S310 - http, see `check_call`
    server = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    try:
        with urlopen(request, timeout=60) as response:  # noqa: S310 - http, see `check_call`
            answer = json.load(response)
    except HTTPError as error:
        raise _refusal(server, error) from error
    except ValueError as error:
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}") from error
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        why = getattr(reason, "strerror", None) or reason
        raise Refused(f"no arena answers at {server} ({why}): is it running? Else {REMEDY}") from error
    if not isinstance(answer, dict):
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}")
    return answer


def _refusal(server: str, error: HTTPError) -> Refused:
    """Return the server's refusal in its own words, with the remedy; never a page of it."""
    said = _detail(error.read(1 << 16))
    if error.code == 401 or (error.code == 403 and not said):
        return Refused(f"the server does not know this token; make a new one at {server}/account/")
    if error.code == 429:
        seconds = error.headers.get("Retry-After", "")
        wait = int(seconds) if seconds.isdecimal() else LONGEST_PAUSE_SECONDS
        return TooMany(said or f"too many requests; try again in {wait} s", wait)
    if onward := error.headers.get("Location", ""):
        return Refused(f"{server} sends everybody to {onward[:100]}; {REMEDY}")
    if not said:
        return Refused(f"{server} answers {error.code} {error.reason}, but not as an arena does; {REMEDY}")
    return Refused(f"{error.code}: {said}")


def _detail(body: bytes) -> str:
    """Return the server's explanation as a line; empty if it is none of an arena's."""
    try:
        answer = json.loads(body)
    except ValueError:
        return ""
    if not isinstance(answer, dict):
        return ""
    if "detail" in answer:
        return str(answer["detail"])
    return "; ".join(
        f"{field}: {' '.join(map(str, said)) if isinstance(said, list) else said}" for field, said in answer.items()
    )
