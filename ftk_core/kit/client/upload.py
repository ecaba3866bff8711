"""Upload of a bot to a server over its REST API."""

from __future__ import annotations

import uuid
from dataclasses import replace
from gettext import gettext as _
from pathlib import Path
from typing import Any

from ftk_core.kit.client.http_client import (
    RequestError,
    build_unexpected_answer_error,
    check_server,
    check_token,
    poll_until,
    request_json,
)
from ftk_core.kit.uploads.bot_names import BOT_NAME_RULE, is_bot_name
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UPLOAD
from ftk_core.kit.uploads.upload_packing import pack_bot

TRIAL_SECONDS = 120
"""Maximum time in seconds to wait for the result of the trial match after an upload."""
PAUSE_SECONDS = 0.5
SENT_UPLOAD_LIMITS = replace(UPLOAD, data_bytes=8 * UPLOAD.data_bytes)
"""Upload limits that are checked before a bot is sent. They allow more data than an arena allows by default, because an
arena may raise its limits. The arena checks its own limits."""


def upload_bot(server: str, token: str, game: str, bot: str, path: Path) -> dict[str, Any]:
    """Upload a file or folder as a bot's next version, and wait for the result of its trial match.

    Return the server's description of the new version. It is a dict with at least the version's "status" and "number",
    the "digest" of its files, and the "reason" of a refusal. The status is ``trial`` if the trial match has no result
    after `TRIAL_SECONDS`. Raises RequestError, InvalidUploadError, OSError.
    """
    server = check_server(server)
    check_token_and_bot(token, bot)
    if not path.exists():
        raise RequestError(_("there is no file or folder {path}").format(path=repr(str(path))))
    file, content = pack_bot(path, SENT_UPLOAD_LIMITS)
    _check_file(file)
    answer = request_json(f"{server}/api/v1/bots/uploads/", token, *_form(game, bot, file, content))
    if "id" in answer:
        url = f"{server}/api/v1/bots/versions/{answer['id']}/"
        answer = poll_until(url, token, answer, _decided, pause=PAUSE_SECONDS, patience=TRIAL_SECONDS)
    if not {"status", "number", "digest", "reason"} <= answer.keys():
        raise build_unexpected_answer_error(server)
    return answer


def _decided(version: dict[str, Any]) -> bool:
    return version.get("status") != "trial"


def check_token_and_bot(token: str, bot: str, option_name: str = "--bot") -> None:
    """Raise RequestError for an invalid token or bot name."""
    check_token(token)
    if not is_bot_name(bot):
        raise RequestError(f"{option_name} {bot[:60]!r}: {_(BOT_NAME_RULE)}")


def _check_file(file: str) -> None:
    if not file.isprintable() or '"' in file or "\\" in file:
        raise InvalidUploadError(
            "bad_path",
            _("the file's name {file} cannot be sent; call it by letters, digits, - and _").format(file=repr(file)),
        )


def _form(game: str, bot: str, file: str, content: bytes) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of the upload request, a multipart form."""
    boundary = uuid.uuid4().hex
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in (("game", game), ("bot", bot))
    )
    disposition = f'Content-Disposition: form-data; name="file"; filename="{file}"\r\n'
    head = f"{fields}--{boundary}\r\n{disposition}Content-Type: application/octet-stream\r\n\r\n"
    body = head.encode(errors="replace") + content + f"\r\n--{boundary}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={boundary}"}
