"""The shared libraries that runtimes need of this machine, file by file: a bot sees no other of what is installed."""

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
"""The libraries that a compiled bot is linked with, and those that libc loads by itself."""
LOCALE = "/usr/lib/locale/C.utf8"
"""Known to libc itself from 2.35 on."""
DESKTOP = "_tkinter"
"""The one module of Python's whose libraries are those of a screen."""


def loaded_by(files: Iterable[str]) -> list[str]:
    """Return the shared libraries, and the loader, that programs and libraries are loaded with."""
    env = {"PATH": os.defpath, "LC_ALL": "C"}
    done = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False, env=env)
    return re.findall(r"(/\S+) \(0x", done.stdout)


def in_usr(path: str) -> str:
    """Return a path without dots, and under `/usr` where a system has merged the folders."""
    path = os.path.normpath(path)
    first = "/" + path.split("/")[1]
    return os.path.normpath(f"/{os.readlink(first)}{path[len(first) :]}") if os.path.islink(first) else path


@cache
def libraries_of(*files: str) -> tuple[str, ...]:
    """Return the libraries of some files, as they lie on this machine."""
    return tuple(dict.fromkeys(in_usr(path) for path in loaded_by(files)))


@cache
def common_libraries(program: str, library: str, shown: tuple[str, ...], wheels: str) -> tuple[str, ...]:
    """Return what every bot sees: the interpreter's, its modules', the wheels', and those of compiled programs.

    What is `shown` elsewhere or lies among the wheels is left out.
    """
    modules = [str(path) for path in sorted(Path(library, "lib-dynload").glob("*.so")) if DESKTOP not in path.name]
    extensions = [str(path) for path in sorted(Path(wheels).rglob("*.so*"))] if wheels else []
    needed = [path for path in libraries_of(program, *modules, *extensions) if path not in shown]
    folders = dict.fromkeys(os.path.dirname(path) for path in needed)
    linked = [f"{folder}/{name}" for folder in folders for name in LINKED]
    found = [path for path in dict.fromkeys((*needed, *linked, LOCALE)) if os.path.exists(path)]
    return tuple(path for path in found if not (wheels and Path(path).is_relative_to(wheels)))
