"""Send a bot to a server over its REST interface."""

from __future__ import annotations

import json
import time
import uuid
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from ftk_core.kit.packing import packed


class Refused(Exception):
    """Raised when the server does not take an upload; the message is the server's."""


TRIAL_SECONDS = 120
"""How long a trial's verdict is waited for."""
PAUSE_SECONDS = 0.5


def send(server: str, token: str, game: str, bot: str, path: Path) -> dict[str, Any]:
    """Upload a file or a folder as the next version of a bot and return its verdict.

    The verdict is the server's description of the version once its trial is over; its status is still
    ``trial`` if that takes longer than `TRIAL_SECONDS`. Raises Refused, BadUpload, OSError.
    """
    if not server.startswith(("http://", "https://")):
        raise Refused(f"the server must begin with http:// or https://, not {server!r}")
    file, content = packed(path)
    boundary = uuid.uuid4().hex
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in (("game", game), ("bot", bot))
    )
    disposition = f'Content-Disposition: form-data; name="file"; filename="{file}"\r\n'
    head = f"{fields}--{boundary}\r\n{disposition}Content-Type: application/octet-stream\r\n\r\n"
    body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    server = server.rstrip("/")
    content_type = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    answer = _call(f"{server}/api/bots/uploads/", token, body, content_type)
    deadline = time.monotonic() + TRIAL_SECONDS
    while answer["status"] == "trial" and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)
        answer = _call(f"{server}/api/bots/versions/{answer['id']}/", token)
    return answer


def _call(url: str, token: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
    request = Request(url, body, {"Authorization": f"Token {token}", **(headers or {})})  # noqa: S310 - http, see `send`
    try:
        with urlopen(request, timeout=60) as response:  # noqa: S310 - http, see `send`
            answer: dict[str, Any] = json.load(response)
            return answer
    except HTTPError as error:
        raise Refused(f"{error.code}: {_detail(error.read())}") from error


def _detail(body: bytes) -> str:
    """Return the server's explanation, whatever its form."""
    try:
        answer = json.loads(body)
    except ValueError:
        return body.decode(errors="replace")[:300]
    return str(answer.get("detail", answer)) if isinstance(answer, dict) else str(answer)
