"""Forty wrong uploads, builds and tokens: each is named with its remedy, and leaves no partial data."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from bots import services
from bots.access.api_tokens import create_token
from bots.models import ApiToken, Bot, BotPackage, BotPackageFile, BotVersion
from ftk_core.kit.uploads.upload_error_hints import REMEDIES
from ftk_core.kit.uploads.upload_limits import UPLOAD
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.uploads import GOOD, create_api_client, upload

pytestmark = pytest.mark.django_db


def zipped(**files: str | bytes) -> bytes:
    """Return an archive; `__` in a name stands for a dot, `_s_` for a slash."""
    return packed({name.replace("_s_", "/").replace("__", "."): body for name, body in files.items()})


def packed(files: dict[str, str | bytes], **more: Any) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED, **more) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return body.getvalue()


def changed(flag: int) -> bytes:
    """Return an archive whose only file is marked as encrypted, or as packed by an unknown method."""
    body = bytearray(zipped(bot__py=GOOD))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = body.index(mark) + at
        struct.pack_into("<H", body, place if flag == 1 else place + 2, 1 if flag == 1 else 99)
    return bytes(body)


def linked() -> bytes:
    info = zipfile.ZipInfo("bot.py")
    info.external_attr = 0o120777 << 16
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    return body.getvalue()


def toml(text: str, **files: str) -> bytes:
    return zipped(bot__toml=text, **files)


MIB = 1 << 20
FILES: dict[str, tuple[Callable[[], bytes], str, tuple[str, ...]]] = {
    "nothing": (lambda: b"", "bot.py", ("the file is empty",)),
    "too much": (lambda: b"#" * (MIB + 1), "bot.py", (f"{UPLOAD.packed_bytes}",)),
    "another kind": (lambda: GOOD, "bot.exe", ("'bot.exe'", ".py", ".zip")),
    "no Python": (lambda: b"\xff\xfe", "bot.py", ("bot.py", "UTF-8")),
    "a NUL": (lambda: b"x = 1\0", "bot.py", ("bot.py", "NUL")),
    "no archive": (lambda: b"PK, but no more", "bot.zip", (".zip",)),
    "a cut archive": (lambda: zipped(bot__py=GOOD)[:-9], "bot.zip", (".zip",)),
    "something behind": (lambda: zipped(bot__py=GOOD) + b"more", "bot.zip", ("behind its end",)),
    "something before": (lambda: b"#!/bin/sh\n" + zipped(bot__py=GOOD), "bot.zip", ("begin",)),
    "too many files": (
        lambda: packed({f"a{n}.py": "" for n in range(UPLOAD.files + 1)}), "bot.zip", (f"{UPLOAD.files}",)
    ),
    "a bomb": (lambda: zipped(bot__py=GOOD, a__txt=b"0" * (5 * MIB)), "bot.zip", (f"{UPLOAD.unpacked_bytes}",)),
    "a way out": (lambda: packed({"bot.py": GOOD, "../x.py": ""}), "bot.zip", ("'../x.py'",)),
    "an absolute path": (lambda: packed({"bot.py": GOOD, "/etc/x.py": ""}), "bot.zip", ("'/etc/x.py'",)),
    "too deep": (lambda: packed({"bot.py": GOOD, "a/" * 9 + "x.py": ""}), "bot.zip", ("too deep",)),
    "too long a path": (lambda: packed({"bot.py": GOOD, "a" * 200 + ".py": ""}), "bot.zip", ("too long",)),
    "a cache": (lambda: packed({"bot.py": GOOD, "__pycache__/x.py": ""}), "bot.zip", ("__pycache__",)),
    "twice, but for case": (lambda: packed({"bot.py": GOOD, "BOT.PY": GOOD}), "bot.zip", ("BOT.PY",)),
    "a file that is a folder": (lambda: packed({"bot.py": GOOD, "x.py": "", "x.py/y.py": ""}), "bot.zip", ("'x.py'",)),
    "a suffix": (lambda: packed({"bot.py": GOOD, "lib.so": b"x"}), "bot.zip", ("'lib.so'", ".py")),
    "a program in disguise": (lambda: packed({"bot.py": GOOD, "a.txt": b"\x7fELF\0"}), "bot.zip", ("'a.txt'",)),
    "a link": (linked, "bot.zip", ("'bot.py'", "link")),
    "encrypted": (lambda: changed(1), "bot.zip", ("'bot.py'", "encrypted")),
    "packed its own way": (lambda: changed(2), "bot.zip", ("'bot.py'", "99")),
    "no entry": (lambda: packed({"main.py": GOOD}), "bot.zip", ("bot.py", "top")),
    "an entry in a folder": (lambda: packed({"mine/bot.py": GOOD}), "bot.zip", ("'mine/bot.py'",)),
    "a manifest that is none": (lambda: toml("command = ", bot__py=""), "bot.zip", ("bot.toml",)),
    "a manifest too long": (lambda: toml("#" * 5000, bot__py=""), "bot.zip", (f"{UPLOAD.manifest_bytes}",)),
    "a manifest of more": (lambda: toml('command = "python bot.py"\nrun = 1', bot__py=""), "bot.zip", ("'run'",)),
    "a command of nothing": (lambda: toml("command = 5", bot__py=""), "bot.zip", ("bot.toml", "command")),
    "a command half quoted": (lambda: toml("command = \"python 'bot.py\"", bot__py=""), "bot.zip", ("command",)),
    "another runtime": (lambda: toml('command = "sh bot.py"', bot__py=""), "bot.zip", ("'python'", "'rust'")),
    "a program that is not there": (lambda: toml('command = "python no.py"', bot__py=""), "bot.zip", ("command",)),
    "a program already compiled": (
        lambda: toml('command = "elf main.elf"', main__elf="x"), "bot.zip", ("main.elf",)
    ),
}  # fmt: skip
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


@pytest.mark.slow
@pytest.mark.parametrize("wrong", FILES)
def test_an_invalid_bot_file_is_refused_with_its_error_code_and_leaves_no_data(wrong: str, author: Any) -> None:
    made, name, told = FILES[wrong]
    before, body = kept(), made()
    said = upload(create_api_client(author), body, name)
    assert said.status_code in (400, 413), said.content
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


BUILDS = {
    "c": ("main.c", "int main(void) { return 0 }\n", "main.c:1"),
    "cpp": ("main.cpp", "int main() { return nothing; }\n", "main.cpp:1"),
    "rust": ("main.rs", 'fn main() { let a: u8 = "b"; }\n', "main.rs:1"),
    "go": ("main.go", "package main\n\nfunc main() { a }\n", "main.go:3"),
    "java": ("Main.java", "class Main { int a = }\n", "Main.java:1"),
}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("language", BUILDS)
def test_the_trial_log_of_a_source_that_does_not_compile_names_the_faulty_line(language: str) -> None:
    file, source, told = BUILDS[language]
    author = AuthorFactory.create()
    said = upload(
        create_api_client(author), packed({"bot.toml": f'command = "{language} {file}"', file: source}), "bot.zip"
    )
    assert said.status_code == 201, said.content
    assert services.run_next_trial()
    version = BotVersion.objects.get(pk=said.json()["id"])
    assert (version.status, version.reason) == ("refused", "it does not compile")
    assert told in version.trial_log
    assert version.package.files.count() == 2


def test_at_least_forty_kinds_of_invalid_uploads_are_tested() -> None:
    assert len(FILES) + len(FIELDS) + len(TOKENS) + len(BUILDS) >= 40
