"""Build of the C++ game rules: ``python -m ftk_core.native.build``."""
# The file name of the library contains a digest of the sources, so that an outdated library is never loaded.

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ftk_core.native.shared_rules_library import SOURCES, library_path

COMPILERS = ("c++", "g++", "clang++")
STATIC_RUNTIME = () if sys.platform == "darwin" else ("-static-libstdc++", "-static-libgcc")
"""Flags that link the compiler's libraries into the build; clang on macOS, which contains them, refuses the second."""
FLAGS = (
    "-std=c++20",
    "-O3",
    "-shared",
    "-fPIC",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-fwrapv",
    "-pthread",
    *STATIC_RUNTIME,
)
"""Compiler flags of every build.

``-ffp-contract=off`` forbids fused multiply-add instructions, so that all processors compute the same digits.
"""
TIMEOUT_SECONDS = 900


class NativeBuildError(Exception):
    """Raised if the library cannot be compiled. The message gives the reason and the remedy."""


def find_compiler() -> list[str]:
    """Return the command of a C++ compiler. Raises NativeBuildError if none is installed."""
    if chosen := os.environ.get("CXX"):
        return shlex.split(chosen)
    if path := next(filter(None, map(shutil.which, COMPILERS)), None):
        return [path]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "c++"]
    raise NativeBuildError(f"no C++ compiler: install {COMPILERS[1]}, or run `pip install ziglang`, or set CXX")


def build(extra_flags: tuple[str, ...] = (), target: Path | None = None, sources: Path = SOURCES) -> Path:
    """Compile the library unless it exists, delete older ones, and return its path. Raises NativeBuildError on failure.

    With `target`, always compile, write to this file, and delete nothing.
    """
    path = target or library_path()
    if target is None and path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{os.getpid()}-{path.name}")
    command = [*find_compiler(), *FLAGS, *extra_flags, str(sources / "api.cpp"), "-o", str(draft)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
        if done.returncode:
            raise NativeBuildError(f"{shlex.join(command)} failed:\n{done.stderr[-2000:]}")
        draft.replace(path)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NativeBuildError(f"{command[0]}: {error}") from error
    finally:
        draft.unlink(missing_ok=True)
    for old in path.parent.glob(f"{path.name.split('-')[0]}-*{path.suffix}") if target is None else ():
        if old != path:
            old.unlink(missing_ok=True)
    return path


def main() -> int:
    """Build the library and print its path or why the build failed."""
    # The exit code is 0 even after a failure, because the library is optional.
    try:
        sys.stdout.write(f"native rules: {build()}\n")
    except NativeBuildError as error:
        sys.stdout.write(f"native rules: not built, everything works without them, only slower ({error})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
