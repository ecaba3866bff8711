"""Upload of a bot to a server over its REST interface."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from ftk_core.kit.archive import BadUpload
from ftk_core.kit.calls import REMEDY, Refused, awaited, call, check_server, check_token
from ftk_core.kit.names import BOT_NAME_RULE, is_bot_name
from ftk_core.kit.packing import packed

TRIAL_SECONDS = 120
"""Maximum time to wait for the trial's result."""
PAUSE_SECONDS = 0.5


def send(server: str, token: str, game: str, bot: str, path: Path) -> dict[str, Any]:
    """Upload a file or a folder as the next version of a bot and return the server's answer.

    The answer describes the version after its trial; its status is still ``trial`` if that takes longer than
    `TRIAL_SECONDS`. Raises Refused, BadUpload, OSError.
    """
    server = check_server(server)
    check_call(token, bot)
    if not path.exists():
        raise Refused(f"there is no file or folder {str(path)!r}")
    file, content = packed(path)
    _check_file(file)
    answer = call(f"{server}/api/v1/bots/uploads/", token, *_form(game, bot, file, content))
    if "id" in answer:
        url = f"{server}/api/v1/bots/versions/{answer['id']}/"
        answer = awaited(url, token, answer, _decided, pause=PAUSE_SECONDS, patience=TRIAL_SECONDS)
    if not {"status", "number", "digest", "reason"} <= answer.keys():
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}")
    return answer


def _decided(version: dict[str, Any]) -> bool:
    return version.get("status") != "trial"


def check_call(token: str, bot: str, bot_word: str = "--bot") -> None:
    """Raise Refused for an invalid token or bot name."""
    check_token(token)
    if not is_bot_name(bot):
        raise Refused(f"{bot_word} {bot[:60]!r}: {BOT_NAME_RULE}")


def _check_file(file: str) -> None:
    if not file.isprintable() or '"' in file or "\\" in file:
        raise BadUpload("bad_path", f"the file's name {file!r} cannot be sent; call it by letters, digits, - and _")


def _form(game: str, bot: str, file: str, content: bytes) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of the upload."""
    boundary = uuid.uuid4().hex
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in (("game", game), ("bot", bot))
    )
    disposition = f'Content-Disposition: form-data; name="file"; filename="{file}"\r\n'
    head = f"{fields}--{boundary}\r\n{disposition}Content-Type: application/octet-stream\r\n\r\n"
    body = head.encode(errors="replace") + content + f"\r\n--{boundary}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={boundary}"}
