"""C programs for attacks that a script cannot make, also under the filter and limits of node."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from bots.sandbox import bot_start_settings, bwrap, forkserver, landlock
from bots.sandbox.language_runtimes import LanguageRuntime, find_runtime
from ftk_core.kit.protocol.child_process import wrap_process
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE

FOLDER = Path(__file__).parents[2] / "hostile" / "hogs"


@cache
def compile_program(file: str, *options: str) -> bytes:
    """Compile a source and return the program or library."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-O1", "-w", *options, str(FOLDER / file), "-o", f"{folder}/out"], check=True)
        return Path(folder, "out").read_bytes()


def put_program(folder: Path, file: str = "hog.c") -> None:
    """Compile a source to the path of a C bot's program."""
    (folder / COMPILED_BOT_FILE).write_bytes(compile_program(file, "-pthread"))
    (folder / COMPILED_BOT_FILE).chmod(0o555)


def run_programs_as_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run C programs under the filter and limits of node, like an attacker who escaped from JavaScript."""

    def programs(name: str) -> LanguageRuntime:
        return LanguageRuntime(kind="threads") if name == "c" else find_runtime(name)

    for module in (bot_start_settings, bwrap, landlock, forkserver):
        monkeypatch.setattr(module, "find_runtime", programs)


@contextmanager
def start_program_without_sandbox(folder: Path, runtime: str, file: str, way: str) -> Iterator[BotProcessPlayer]:
    """Start a resource hog without limits."""
    start = {"python": ["python3", file], "node": ["node", "--max-old-space-size=2000", file]}.get(
        runtime, [f"./{COMPILED_BOT_FILE}"]
    )
    pipe = subprocess.PIPE
    process = subprocess.Popen([*start, way], cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    with BotProcessPlayer("hog", wrap_process(process)) as player:
        yield player
