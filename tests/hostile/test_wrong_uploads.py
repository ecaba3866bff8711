"""Wrong uploads and tokens over the API: each answer names the fault and the remedy, and no partial data remains."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from bots.models import ApiToken, Bot, BotPackage, BotPackageFile, BotVersion
from ftk_core.kit.uploads.upload_error_hints import REMEDIES
from ftk_core.kit.uploads.upload_limits import UPLOAD
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.uploads import GOOD, create_api_client, upload

pytestmark = pytest.mark.django_db


def packed(files: dict[str, str | bytes]) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return body.getvalue()


MIB = 1 << 20
FILES: dict[str, tuple[Callable[[], bytes], str, int, tuple[str, ...]]] = {
    "nothing": (lambda: b"", "bot.py", 400, ("the file is empty",)),
    "too much": (lambda: b"#" * (MIB + 1), "bot.py", 413, (f"{UPLOAD.packed_bytes} are allowed",)),
    "another kind": (lambda: GOOD, "bot.exe", 400, ("'bot.exe'", ".py", ".zip")),
    "no archive": (lambda: b"PK, but no more", "bot.zip", 400, (".zip",)),
    "a bomb": (
        lambda: packed({"bot.py": GOOD, "a.txt": b"0" * (5 * MIB)}), "bot.zip", 400, (f"{UPLOAD.unpacked_bytes}",)
    ),
    "a manifest that is none": (
        lambda: packed({"bot.toml": "command = ", "bot.py": ""}), "bot.zip", 400, ("bot.toml",)
    ),
}  # fmt: skip
"""Uploads with the expected HTTP status and words; tests/support/hostile/archives.py has the other invalid uploads."""
FIELDS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "no game": ({"game": "ludo"}, ("ludo", "pig")),
    "another game than before": ({"game": "kings_court", "bot": "known"}, ("known", "pig")),
    "a name with a space": ({"bot": "my bot"}, ("bot",)),
    "a name too long": ({"bot": "b" * 41}, ("40",)),
    "somebody else's": ({"bot": "others"}, ("'others'", "somebody else")),
}


@pytest.fixture
def author() -> Any:
    create_active_version(slug="others")
    return create_active_version(slug="known").bot.owner


def kept() -> tuple[int, ...]:
    """Return the number of stored objects of bots."""
    return tuple(table.objects.count() for table in (Bot, BotVersion, BotPackage, BotPackageFile))


@pytest.mark.parametrize("wrong", FILES)
def test_an_invalid_bot_file_is_refused_with_its_error_code_and_leaves_no_data(wrong: str, author: Any) -> None:
    made, name, status, told = FILES[wrong]
    before, body = kept(), made()
    said = upload(create_api_client(author), body, name)
    assert said.status_code == status, said.content
    detail = str(said.json()["detail"])
    assert [word for word in told if word not in detail] == []
    assert detail.endswith(REMEDIES[said.json()["code"]])
    assert kept() == before


@pytest.mark.parametrize("wrong", FIELDS)
def test_invalid_upload_fields_are_refused_with_an_error_code_and_leave_no_data(wrong: str, author: Any) -> None:
    fields, told = FIELDS[wrong]
    before = kept()
    said = upload(create_api_client(author), **fields)
    assert said.status_code == 400, said.content
    assert [word for word in told if word not in said.content.decode()] == []
    assert kept() == before


def expired(who: Any) -> str:
    token = create_token(who)
    ApiToken.objects.filter(owner=who).update(expires_at=timezone.now())
    return f"Token {token}"


def revoked(who: Any) -> str:
    token = create_token(who)
    ApiToken.objects.filter(owner=who).delete()
    return f"Token {token}"


TOKENS: dict[str, tuple[Callable[[Any], str], int, str]] = {
    "none": (lambda _: "", 401, ""),
    "half of one": (lambda who: f"Token {create_token(who)[:20]}", 401, "token"),
    "one with a slip": (lambda who: f"Token {create_token(who)[:-1]}!", 401, "token"),
    "one of two words": (lambda who: f"Token {create_token(who)} x", 401, "ftk_pat_"),
    "one for something else": (lambda who: f"Token {create_token(who, scopes=['read'])}", 403, "'upload'"),
    "one at its end": (expired, 401, "token"),
    "one that was revoked": (revoked, 401, "revoked"),
}


@pytest.mark.parametrize("wrong", TOKENS)
def test_an_upload_with_an_invalid_token_is_refused_and_leaves_no_data(wrong: str) -> None:
    shown, status, told = TOKENS[wrong]
    before, client = kept(), APIClient()
    if header := shown(AuthorFactory.create()):
        client.credentials(HTTP_AUTHORIZATION=header)
    said = upload(client)
    assert said.status_code == status, said.content
    assert told in said.content.decode()
    assert kept() == before
