"""Programs in C that try what a script cannot, also behind the filter and the limits that node has."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from bots.cage import bwrap, forkserver, landlock, plan
from bots.cage.runtime import Program, program_of
from ftk_core.kit.child import child_of
from ftk_core.kit.pipe import PipePlayer
from ftk_core.kit.remedies import BINARY

FOLDER = Path(__file__).parents[2] / "hostile" / "hogs"


@cache
def compiled(file: str, *options: str) -> bytes:
    """Return the program or library that a source makes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-O1", "-w", *options, str(FOLDER / file), "-o", f"{folder}/out"], check=True)
        return Path(folder, "out").read_bytes()


def put_program(folder: Path, file: str = "hog.c") -> None:
    """Put a compiled source where a bot in C has its program."""
    (folder / BINARY).write_bytes(compiled(file, "-pthread"))
    (folder / BINARY).chmod(0o555)


def become_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a program in C the filter and the limits of node: what somebody has who breaks out of its JavaScript."""

    def programs(name: str) -> Program:
        return Program(kind="threads") if name == "c" else program_of(name)

    for module in (plan, bwrap, landlock, forkserver):
        monkeypatch.setattr(module, "program_of", programs)


@contextmanager
def uncaged(folder: Path, runtime: str, file: str, way: str) -> Iterator[PipePlayer]:
    """Start a hog that nothing holds."""
    start = {"python": ["python3", file], "node": ["node", "--max-old-space-size=2000", file]}.get(
        runtime, [f"./{BINARY}"]
    )
    pipe = subprocess.PIPE
    process = subprocess.Popen([*start, way], cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    with PipePlayer("hog", child_of(process)) as player:
        yield player
