"""Start a stored bot in a process of its own that can reach neither the network nor our files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path

from django.conf import settings

from bots.limits import PROCESS, ProcessLimits
from ftk_core.kit.pipe import PipePlayer

CAGE = "namespaces"
"""How this launcher contains a bot, as it is recorded with each match."""
LAUNCHER = Path(__file__).with_name("launch.py")
SHOWN = ("ftk_core/__init__.py", "ftk_core/kit/__init__.py", "ftk_core/kit/bot.py")
"""The only part of this project that a bot can import."""


class CageUnavailable(RuntimeError):
    """Raised when this machine cannot contain a bot; none is started then."""


@cache
def runtime_folder() -> Path:
    """Return a folder with the bot author's helper and nothing else of ours, made once a process."""
    target = Path(tempfile.mkdtemp(prefix="ftk-runtime-"))
    for name in SHOWN:
        module, _, file = name.rpartition("/")
        (target / module).mkdir(parents=True, exist_ok=True)
        source = files(module.replace("/", ".")) / file
        (target / name).write_bytes(source.read_bytes())
    return target


def _limits(limits: ProcessLimits) -> dict[str, int]:
    return {
        "RLIMIT_CPU": limits.cpu_seconds,
        "RLIMIT_AS": limits.memory_bytes,
        "RLIMIT_NPROC": limits.processes,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_NOFILE": limits.descriptors,
        "RLIMIT_CORE": 0,
    }


def _plan(folder: Path, command: Sequence[str], report: int) -> str:
    boot = (
        "import runpy,sys;"
        f"sys.path[:0]=[{str(folder)!r},{str(runtime_folder())!r}];"
        f"sys.argv={list(command[1:])!r};"
        f"runpy.run_path({str(folder / command[1])!r},run_name='__main__')"
    )
    home = os.getcwd()
    return json.dumps(
        {
            "worker": os.getpid(),
            "folder": home if not folder.exists() else str(folder),
            "argv": [sys.executable, "-I", "-S", "-B", "-u", "-c", boot],
            "env": {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"},
            "limits": _limits(PROCESS),
            "hide": [str(path) for path in settings.HIDDEN_FROM_BOTS if Path(path).is_dir()],
            "report": report,
        }
    )


@contextmanager
def caged(
    name: str, stored: Path, command: Sequence[str], *, waiting: Callable[[], None] = lambda: None
) -> Iterator[PipePlayer]:
    """Yield a bot in its seat; its process and its folder are gone when the block is left, whichever way.

    Raises CageUnavailable when the machine cannot contain it.
    """
    folder = Path(tempfile.mkdtemp(prefix="ftk-bot-"))
    try:
        shutil.copytree(stored, folder, dirs_exist_ok=True)
        process, pid = _start(folder, command)
        with PipePlayer(name, process, pid=pid, waiting=waiting) as player:
            yield player
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(folder: Path, command: Sequence[str]) -> tuple[subprocess.Popen[bytes], int]:
    report_out, report_in = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", str(LAUNCHER), _plan(folder, command, report_in)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd="/",
        env={},
        pass_fds=(report_in,),
        start_new_session=True,
    )
    os.close(report_in)
    with os.fdopen(report_out) as report:
        line = report.readline()
    if not line:
        assert process.stderr
        reason = process.stderr.read().decode(errors="replace").strip()
        process.kill()
        process.wait()
        raise CageUnavailable(reason or "the launcher ended without a word")
    return process, int(line)
