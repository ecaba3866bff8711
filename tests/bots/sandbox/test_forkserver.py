"""The fork server: a late answer is never taken for the answer to a later request, and bots may have large files."""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from bots.sandbox import forkserver
from bots.sandbox.file_descriptor_polling import is_readable
from bots.sandbox.forkserver import ForkServer, close_server, get_server
from bots.sandbox.language_runtimes import SandboxUnavailable
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_limits import UPLOAD
from tests.support.machine import sandbox_config, working_backends
from tests.support.sandbox.bots import question, start_bot_in

pytestmark = pytest.mark.skipif("forkserver" not in working_backends(), reason="bots cannot be forked on this machine")
COMPILERS = [language.compiler for language in LANGUAGES.values() if language.compiler]
ROLLING_BOT = "from ftk_core.kit.bot import run\nrun(lambda ask: 1)\n"
SLEEPING_BOT = "import time\nwhile True:\n    time.sleep(1)\n"


@pytest.fixture
def server() -> Iterator[ForkServer]:
    """Yield this process's fork server, and end the server that runs at the end of the test."""
    yield get_server(sandbox_config("forkserver"))
    close_server()


def children_of(server: ForkServer) -> list[int]:
    pid = server.process.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
def test_a_fork_server_that_answers_too_late_is_killed_and_a_new_one_starts_the_next_bot(
    server: ForkServer, tmp_path: Path
) -> None:
    server._socket.settimeout(0.1)
    os.kill(server.process.pid, signal.SIGSTOP)
    with pytest.raises(SandboxUnavailable), start_bot_in("forkserver", tmp_path / "late", SLEEPING_BOT):
        pass
    assert server.process.returncode == -signal.SIGKILL
    with start_bot_in("forkserver", tmp_path / "next", ROLLING_BOT) as player:
        assert children_of(get_server(sandbox_config("forkserver"))) == [player.pid]
        assert player.choose(question()).index == 1


def test_an_answer_to_an_earlier_request_is_refused_and_the_fork_server_is_replaced(
    server: ForkServer, tmp_path: Path
) -> None:
    with open(os.devnull, "rb") as nothing:
        socket.send_fds(server._socket, [b"0"], [nothing.fileno()] * 4)
    assert is_readable(server._socket.fileno(), forkserver.START_SECONDS)
    with (
        pytest.raises(SandboxUnavailable, match="the fork server is gone"),
        start_bot_in("forkserver", tmp_path / "first", SLEEPING_BOT),
    ):
        pass
    with start_bot_in("forkserver", tmp_path / "next", ROLLING_BOT) as player:
        assert player.choose(question()).index == 1


def test_a_bot_whose_files_cannot_be_read_does_not_end_the_other_bots_of_the_fork_server(
    server: ForkServer, tmp_path: Path
) -> None:
    with start_bot_in("forkserver", tmp_path / "first", ROLLING_BOT) as player:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(forkserver, "_append_files", Mock(side_effect=OSError(errno.EMFILE, "too many open files")))
            with (
                pytest.raises(SandboxUnavailable, match="the bot's files cannot be read"),
                start_bot_in("forkserver", tmp_path / "second", ROLLING_BOT),
            ):
                pass
        assert player.choose(question()).index == 1
    assert get_server(sandbox_config("forkserver")) is server


@pytest.mark.slow
def test_the_fork_server_is_replaced_after_a_request_to_it_was_interrupted(server: ForkServer, tmp_path: Path) -> None:
    def interrupt(_signal: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    os.kill(server.process.pid, signal.SIGSTOP)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt), start_bot_in("forkserver", tmp_path / "late", SLEEPING_BOT):
            pass
    finally:
        signal.signal(signal.SIGALRM, before)
    assert get_server(sandbox_config("forkserver")) is not server


def test_a_bot_with_the_largest_permitted_upload_starts(tmp_path: Path) -> None:
    folder = tmp_path / "large"
    folder.mkdir()
    sizes = (UPLOAD.data_bytes, max(compiler.limits.program_bytes for compiler in COMPILERS), UPLOAD.unpacked_bytes)
    for number, size in enumerate(sizes):
        (folder / f"{number}.bin").write_bytes(b"x" * size)
    for number in range(UPLOAD.files):
        (folder / f"{number}.txt").write_bytes(b"x")
    with start_bot_in("forkserver", folder, ROLLING_BOT) as player:
        assert player.choose(question()).index == 1
