"""Programs in C that try what a script cannot, also behind the filter and the limits that node has."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from bots.cage import bwrap, forkserver, landlock, plan
from bots.cage.plan import BINARY
from bots.cage.runtime import Program, program_of

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
        return Program("threads", ()) if name == "c" else program_of(name)

    for module in (plan, bwrap, landlock, forkserver):
        monkeypatch.setattr(module, "program_of", programs)
