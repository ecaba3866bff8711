"""The shared libraries that runtimes need, listed one by one, so that a bot sees nothing else that is installed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

LINKED = (
    "libc.so.6", "libm.so.6", "libmvec.so.1", "libgcc_s.so.1", "libstdc++.so.6", "libdl.so.2", "libpthread.so.0",
    "librt.so.1", "libutil.so.1",
)  # fmt: skip
"""The libraries that compiled bots link with, and those that libc loads by itself."""
LOCALE = "/usr/lib/locale/C.utf8"
"""libc has it built in from 2.35 on."""
DESKTOP = "_tkinter"
"""The Python module whose libraries need a display."""


def loaded_by(files: Iterable[str]) -> list[str]:
    """Return the shared libraries and the loader that programs and libraries need, according to ldd."""
    env = {"PATH": os.defpath, "LC_ALL": "C"}
    done = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False, env=env)
    return re.findall(r"(/\S+) \(0x", done.stdout)


def in_usr(path: str) -> str:
    """Return a normalised path, under `/usr` on a system with merged folders."""
    path = os.path.normpath(path)
    first = "/" + path.split("/")[1]
    return os.path.normpath(f"/{os.readlink(first)}{path[len(first) :]}") if os.path.islink(first) else path


@cache
def libraries_of(*files: str) -> tuple[str, ...]:
    """Return the libraries that some files need, by their paths on this machine."""
    return tuple(dict.fromkeys(in_usr(path) for path in loaded_by(files)))


@cache
def common_libraries(program: str, library: str, shown: tuple[str, ...], wheels: str) -> tuple[str, ...]:
    """Return the libraries every bot sees: of the interpreter, its modules, the wheels, and compiled programs.

    Libraries in `shown` or among the wheels are left out, because they are mounted elsewhere.
    """
    modules = [str(path) for path in sorted(Path(library, "lib-dynload").glob("*.so")) if DESKTOP not in path.name]
    extensions = [str(path) for path in sorted(Path(wheels).rglob("*.so*"))] if wheels else []
    needed = [path for path in libraries_of(program, *modules, *extensions) if path not in shown]
    folders = dict.fromkeys(os.path.dirname(path) for path in needed)
    linked = [f"{folder}/{name}" for folder in folders for name in LINKED]
    found = [path for path in dict.fromkeys((*needed, *linked, LOCALE)) if os.path.exists(path)]
    return tuple(path for path in found if not (wheels and Path(path).is_relative_to(wheels)))
