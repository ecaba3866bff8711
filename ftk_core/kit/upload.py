"""Send a bot to a server over its REST interface."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Refused(Exception):
    """Raised when the server does not take an upload; the message is the server's."""


def send(server: str, token: str, game: str, bot: str, path: Path) -> dict[str, Any]:
    """Upload one file as the next version of a bot and return the server's answer; raises Refused, or OSError."""
    if not server.startswith(("http://", "https://")):
        raise Refused(f"the server must begin with http:// or https://, not {server!r}")
    boundary = uuid.uuid4().hex
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in (("game", game), ("bot", bot))
    )
    disposition = f'Content-Disposition: form-data; name="file"; filename="{path.name}"\r\n'
    head = f"{fields}--{boundary}\r\n{disposition}Content-Type: application/octet-stream\r\n\r\n"
    body = head.encode() + path.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Authorization": f"Token {token}"}
    request = Request(f"{server.rstrip('/')}/api/bots/uploads/", body, headers)  # noqa: S310 - scheme checked above
    try:
        with urlopen(request, timeout=120) as response:  # noqa: S310 - scheme checked above
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
