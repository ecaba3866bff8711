"""The kit on Linux, macOS and Windows: it works without an arena, and without calls that a system lacks."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest

import ftk_core
from tests.support.lengths import short_or_long
from tests.support.systems import PROFILES, UNIX_MODULES, UNIX_NAMES, Outcome
from tests.support.wrong_inputs import FTK

pytestmark = pytest.mark.slow

EACH_SYSTEM = pytest.mark.parametrize("system", short_or_long(("windows",), tuple(PROFILES)))
"""Parameter for each system. The short form tests only the system that lacks most calls."""
PLAYS = "from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"
STARTS_A_THREAD = "import threading\nthreading.Thread(target=int).start()\n" + PLAYS
VERSION = {"status": "active", "number": 1, "digest": "ab", "reason": "", "trial_log": "", "bot": "mine", "game": "pig"}
SUSPECT = re.compile("|".join([r"\b(os|select|signal|time)\b", "/proc", *sorted(UNIX_MODULES)]))
OTHER_WAYS = {
    "kit/client/token_store.py": {"os.O_NOFOLLOW"},
    "kit/protocol/child_process.py": {"os.pidfd_open", "signal.pidfd_send_signal"},
    "kit/protocol/child_termination.py": {"os.killpg", "signal.SIGKILL"},
    "kit/protocol/cpu_clock.py": {"os.pread", "time.clock_gettime_ns", "/proc"},
    "kit/protocol/pipe_multiplexing.py": {"os.set_blocking", "select.POLLIN", "select.POLLOUT", "select.poll"},
    "kit/sandboxing/sandbox_emulation.py": {"os.fork"},
    "kit/sandboxing/sandbox_emulation_bootstrap.py": {"resource"},
    "kit/match_series/file_locks.py": {"fcntl"},
}
"""Module -> calls that some systems lack and for which the module has a fallback."""


def run(system: str, commands: Sequence[Sequence[str]], folder: Path) -> list[Outcome]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("FTK_", "BOT_"))}
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.systems", system],
        input=json.dumps(commands), capture_output=True, text=True, check=True, cwd=folder,
        env={**environment, "PYTHONPATH": os.getcwd(), "XDG_CONFIG_HOME": str(folder)},
    )  # fmt: skip
    return [(code, out, err, trace) for code, out, err, trace in json.loads(done.stdout)]


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that accepts every upload."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(201)
            self.end_headers()
            self.wfile.write(json.dumps(VERSION).encode())

        def log_message(self, *_arguments: object) -> None:
            """Be quiet."""

    with HTTPServer(("127.0.0.1", 0), Answer) as running:
        thread = Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@EACH_SYSTEM
def test_ftk_can_play_check_compare_upload_and_watch_on_each_operating_system(
    system: str, server: str, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(PLAYS)
    (tmp_path / "threads.py").write_text(STARTS_A_THREAD)
    expected = {
        "--help": (0, "Play, check and upload"),
        "play pig bot.py random --games 2 --jobs 1 --log log.jsonl": (0, "rating: "),
        "play pig hold20 random --games 2 --jobs 2": (0, "rating: "),
        "check pig bot.py": (0, "not tried here: system calls of C code"),
        "check pig threads.py": (1, "RuntimeError: can't start new thread"),
        "compare pig hold20 bot.py --max-blocks 2 --jobs 1": (3, "not decided yet"),
        "protocol bot.py": (0, "plays a second match"),
        f"upload pig bot.py --bot mine --token abc --server {server}": (0, "active"),
    }
    for words, outcome in zip(expected, run(system, [words.split() for words in expected], tmp_path), strict=True):
        code, out, err, trace = outcome
        assert (code, trace) == (expected[words][0], ""), (words, out, err)
        assert expected[words][1] in out, words
        if words.startswith("check"):
            assert ("waiting for a processor is not measured here" in out) == (system != "linux")
    assert_is_watched(system, tmp_path / "log.jsonl")


def assert_is_watched(system: str, log: Path) -> None:
    command = [sys.executable, "-m", "tests.support.systems", system, "watch", str(log), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        try:
            assert watch.stdout is not None
            address = re.search(r"(http://127\.0\.0\.1:\d+/) - Ctrl-C ends it", watch.stdout.readline())
            assert address
            page = httpx.get(address[1]).text
            assert "<ftk-replay" in page
            for script in re.findall(r'<script type="module" src="/(.*?)">', page):
                assert httpx.get(address[1] + script).headers["Content-Type"] == "text/javascript", script
        finally:
            watch.terminate()


@EACH_SYSTEM
def test_wrong_input_to_ftk_gives_a_one_line_error_and_leaves_no_files_on_each_operating_system(
    system: str, tmp_path: Path
) -> None:
    (tmp_path / "file.py").write_text(PLAYS)
    mistakes = [(name, words) for name, each in FTK.items() for words in each]
    mistakes = mistakes[:: short_or_long(len(mistakes) // 60, 1)]
    assert len(mistakes) >= 60
    commands = [[*name.split(), *split(words, tmp_path)] for name, words in mistakes]
    for words, (code, out, err, trace) in zip(commands, run(system, commands, tmp_path), strict=True):
        assert (code, out, trace) == (2, "", ""), (words, err)
        assert err.count("\n") == 1, words
        assert err.strip(), words
    assert [path.name for path in tmp_path.iterdir()] == ["file.py"]


def split(words: str, folder: Path) -> list[str]:
    """Return the words of a row of `FTK`, with colons replaced by spaces."""
    each = [word if "://" in word else word.replace(":", " ") for word in words.split(" ") if word]
    return [word.replace("{folder}", str(folder)).replace("{file}", str(folder / "file.py")) for word in each]


def names_in(path: Path) -> set[str]:
    """Return the calls in a module that some systems lack."""
    text, found = path.read_text(), set[str]()
    for node in ast.walk(ast.parse(text)) if SUSPECT.search(text) else ():
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=name) if name in UNIX_NAMES.get(module, ()):
                found.add(f"{module}.{name}")
            case ast.Import(names=names):
                found |= {alias.name for alias in names} & UNIX_MODULES
            case ast.ImportFrom(module=str(module)):
                found |= {module} & UNIX_MODULES
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[ast.Name(id=module), ast.Constant(name), *_]):
                found |= {f"{module}.{name}"} if name in UNIX_NAMES.get(module, ()) else set()
            case ast.Constant(value=str(text)) if text.startswith("/proc"):
                found.add("/proc")
    return found


def test_system_calls_missing_on_some_operating_systems_occur_only_in_modules_with_a_fallback() -> None:
    root = Path(ftk_core.__file__).parent
    found = {path.relative_to(root).as_posix(): names_in(path) for path in root.rglob("*.py")}
    assert {module: names for module, names in found.items() if names} == OTHER_WAYS
