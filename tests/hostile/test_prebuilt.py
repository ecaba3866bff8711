"""Compiled bots: refused unless the organiser allows them, checked, and sandboxed like any other bot."""

from __future__ import annotations

import io
import struct
import subprocess
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bots.models import BotVersion
from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.sandboxing.sandbox_limits import SANDBOX_LIMITS
from ftk_core.kit.uploads.elf_validation import find_elf_flaw
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UPLOAD
from ftk_core.kit.uploads.upload_validation import ValidatedUpload, read_upload
from ftk_core.players import HelloMessage, NoAnswerError
from tests.support.factories import AuthorFactory
from tests.support.hostile.programs import compile_program
from tests.support.machine import has_programs, sandbox_config, working_backends
from tests.support.sandbox.bots import question
from tests.support.uploads import create_api_client, upload

pytestmark = pytest.mark.skipif(not has_programs("cc"), reason="there is no compiler to make a program with")
ALLOWED = replace(UPLOAD, prebuilt=True)
HELLO = HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0)
LEAPING = r"""
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
    char *argv[] = {"/bin/sh", NULL};
    execve("/bin/sh", argv, NULL);
    if (fork() >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0) return 1;
    if (open("/etc/passwd", O_RDONLY) >= 0 || open("/bot/new", O_CREAT | O_WRONLY, 0600) >= 0) return 1;
    if (kill(-1, 0) == 0 || ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) return 1;
    fputs("held\n", stderr);
    return 3;
}
"""


def zipped(program: bytes, name: str = "bot.elf", command: str = "elf bot.elf", **more: bytes) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.toml", f'command = "{command}"')
        archive.writestr(name, program)
        for key, content in more.items():
            archive.writestr(key.replace("_", "."), content)
    return body.getvalue()


def made(folder: Path, source: str, *options: str) -> bytes:
    (folder / "bot.c").write_text(source)
    subprocess.run(["cc", "-O1", "-w", *options, folder / "bot.c", "-o", folder / "bot"], check=True)
    return (folder / "bot").read_bytes()


@pytest.fixture
def static(tmp_path: Path) -> bytes:
    return made(tmp_path, "int main(void) { return 0; }", "-static")


def laid(folder: Path, sent: ValidatedUpload) -> Path:
    folder.chmod(0o755)
    return create_bot_folder(folder / "laid", sent.command, lambda: sent.files)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_compiled_program_is_refused_unless_the_organiser_allows_it(static: bytes, settings: Any) -> None:
    client = create_api_client(AuthorFactory.create())
    answer = upload(client, zipped(static), "bot.zip")
    assert (answer.status_code, answer.data["code"]) == (400, "prebuilt")
    assert "this arena takes no compiled programs: send sources" in answer.data["detail"]
    assert not BotVersion.objects.exists()
    settings.BOT_PREBUILT = True
    assert upload(client, zipped(static), "bot.zip").status_code == 201


@pytest.mark.slow
@pytest.mark.parametrize(
    ("offset", "with_what", "why"),
    [
        (0, b"\x7fELG", "it is not an ELF program"),
        (4, b"\x01", "64-bit little-endian"),
        (18, struct.pack("<H", 8), "made for machine 8"),
        (16, struct.pack("<H", 1), "an object file or a library"),
        (56, struct.pack("<H", 65000), "table of segments"),
        (32, struct.pack("<Q", 1 << 62), "table of segments"),
        (64, struct.pack("<I", 3), "link it statically"),
    ],
)
def test_a_compiled_program_with_an_invalid_or_unsupported_elf_header_is_refused(
    offset: int, with_what: bytes, why: str, static: bytes
) -> None:
    forged = static[:offset] + with_what + static[offset + len(with_what) :]
    with pytest.raises(InvalidUploadError, match=why):
        read_upload("bot.zip", zipped(forged), ALLOWED)


def test_a_dynamically_linked_program_is_refused(tmp_path: Path) -> None:
    dynamic = made(tmp_path, "int main(void) { return 0; }")
    library = made(tmp_path, "int two(void) { return 2; }", "-shared", "-fPIC", "-lm", "-Wl,--no-as-needed")
    assert "link it statically" in find_elf_flaw(dynamic)
    assert "link it statically" in find_elf_flaw(library)
    assert find_elf_flaw(made(tmp_path, "int main(void) { return 0; }", "-static-pie")) == ""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["elf bot.elf", "python bot.py"])
def test_an_upload_with_a_second_compiled_program_is_refused(command: str, static: bytes) -> None:
    with pytest.raises(InvalidUploadError, match="NUL byte"):
        read_upload("bot.zip", zipped(static, command=command, table_txt=static, bot_py=b"pass"), ALLOWED)


@pytest.mark.slow
@pytest.mark.parametrize("backend", working_backends())
def test_a_compiled_program_is_sandboxed(backend: str, tmp_path: Path) -> None:
    sent = read_upload("bot.zip", zipped(made(tmp_path, LEAPING, "-static")), ALLOWED)
    folder = laid(tmp_path, sent)
    with start_in_sandbox(replace(sandbox_config(backend), prebuilt=True), "bot", folder, sent.command) as player:
        player.greet(HELLO)
        with pytest.raises(NoAnswerError, match="crashed: held"):
            player.choose(question())


def test_a_stored_compiled_program_is_not_started_after_the_organiser_forbids_such_programs(
    tmp_path: Path, static: bytes
) -> None:
    sent = read_upload("bot.zip", zipped(static), ALLOWED)
    folder = laid(tmp_path, sent)
    with (
        pytest.raises(BotBuildError, match=r"bot\.elf is a compiled program"),
        start_in_sandbox(sandbox_config(working_backends()[0]), "bot", folder, sent.command),
    ):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("way", ["heap", "private", "shared", "stack", "nameless_file", "threads", "processes"])
def test_a_compiled_program_cannot_exceed_its_memory_limit(way: str, tmp_path: Path) -> None:
    program = compile_program("hog.c", "-static", "-pthread")
    sent = read_upload("hog.zip", zipped(program, command=f"elf bot.elf {way}"), ALLOWED)
    with start_in_sandbox(
        replace(sandbox_config(working_backends()[0]), prebuilt=True), "hog", laid(tmp_path, sent), sent.command
    ) as player:
        player.greet(HELLO)
        with suppress(NoAnswerError):  # a program that was killed before its answer allocated too much
            player.choose(question(1, 20_000))
    assert all("crashed" in fault or "ended by the arena" in fault for _, fault in player.faults), player.faults
    assert all(int(note.split()[0]) <= SANDBOX_LIMITS.memory_bytes >> 20 for _, note in player.notes)
    assert player.faults or player.notes
