"""Shared libraries that language runtimes need."""
# They are listed one by one, so that a bot sees no other installed file.

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

LINKED_LIBRARIES = (
    "libc.so.6", "libm.so.6", "libmvec.so.1", "libgcc_s.so.1", "libstdc++.so.6", "libdl.so.2", "libpthread.so.0",
    "librt.so.1", "libutil.so.1",
)  # fmt: skip
"""Names of the libraries that compiled bots link with, and of those that libc loads by itself."""
LOCALE = "/usr/lib/locale/C.utf8"
"""Files of the C.UTF-8 locale; libc has them built in from version 2.35 on."""
DISPLAY_MODULE = "_tkinter"
"""Python module that bots cannot use, because its libraries need a display."""


def find_loaded_libraries(files: Iterable[str]) -> list[str]:
    """Return the paths of the shared libraries and the loader that `files` need, according to ldd."""
    env = {"PATH": os.defpath, "LC_ALL": "C"}
    result = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False, env=env)
    return re.findall(r"(/\S+) \(0x", result.stdout)


def normalize_usr_path(path: str) -> str:
    """Resolve the first folder of a path if it is a symbolic link: `/lib/x` becomes `/usr/lib/x`."""
    path = os.path.normpath(path)
    first = "/" + path.split("/")[1]
    return os.path.normpath(f"/{os.readlink(first)}{path[len(first) :]}") if os.path.islink(first) else path


@cache
def list_libraries(*files: str) -> tuple[str, ...]:
    """Return the paths of the shared libraries that `files` need, in the form of `normalize_usr_path`."""
    return tuple(dict.fromkeys(normalize_usr_path(path) for path in find_loaded_libraries(files)))


@cache
def list_common_libraries(program: str, library: str, mounted: tuple[str, ...], wheels: str) -> tuple[str, ...]:
    """Return the paths of the system libraries that every bot sees."""
    # The files `mounted` and those in `wheels` are left out, because they are mounted separately.
    modules = [
        str(path) for path in sorted(Path(library, "lib-dynload").glob("*.so")) if DISPLAY_MODULE not in path.name
    ]
    extensions = [str(path) for path in sorted(Path(wheels).rglob("*.so*"))] if wheels else []
    needed = [path for path in list_libraries(program, *modules, *extensions) if path not in mounted]
    folders = dict.fromkeys(os.path.dirname(path) for path in needed)
    linked = [f"{folder}/{name}" for folder in folders for name in LINKED_LIBRARIES]
    existing = [path for path in dict.fromkeys((*needed, *linked, LOCALE)) if os.path.exists(path)]
    return tuple(path for path in existing if not (wheels and Path(path).is_relative_to(wheels)))
