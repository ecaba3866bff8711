"""Compile a bot, caged too: nothing to read but the compiler and the source, scratch space under a limit."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

from bots.cage import nobody
from bots.cage.bwrap import ALONE, NO_MORE_NAMESPACES, sealed_file
from bots.cage.runtime import CageUnavailable
from ftk_core.kit.holding import BuildFailed

SECONDS = 60
BINARY_BYTES = 8 << 20
SCRATCH = "/tmp"  # noqa: S108 - its own
SCRATCH_BYTES = 64 << 20
LIMITS = "ulimit -t 30 -v 1048576 -f 65536 -c 0 -n 64"
RECIPES = {"c": "cc -std=gnu11 -O2 -pipe -o /tmp/out /bot/{source} -lm && cat /tmp/out"}
"""By the first word of a bot's command: a fixed line, so that an upload chooses no options."""


def build(folder: Path, language: str, source: str) -> bytes:
    """Return the program made of a source file; raises BuildFailed, or CageUnavailable where it cannot be contained."""
    seccomp = os.open(f"/proc/self/fd/{sealed_file('build')}", os.O_RDONLY)
    try:
        with nobody.kept_back():
            done = subprocess.run(
                _argv(folder, RECIPES[language].format(source=shlex.quote(source)), seccomp),
                env={"PATH": os.defpath}, stdin=subprocess.DEVNULL, capture_output=True, pass_fds=(seccomp,),
                timeout=SECONDS, check=False, start_new_session=True,
            )  # fmt: skip
    except FileNotFoundError as error:
        raise CageUnavailable("bots are compiled in bwrap, which is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise BuildFailed(f"the compiler was not ready after {SECONDS} s") from error
    finally:
        os.close(seccomp)
    if done.returncode != 0 or not done.stdout:
        raise BuildFailed(done.stderr.decode(errors="replace").strip()[:4000] or f"it ended with {done.returncode}")
    if len(done.stdout) > BINARY_BYTES:
        raise BuildFailed(f"the program has {len(done.stdout)} bytes, {BINARY_BYTES} are allowed")
    return done.stdout


def _argv(folder: Path, line: str, seccomp: int) -> list[str]:
    mounts = ["--ro-bind", "/usr", "/usr"]
    for name in ("/bin", "/lib", "/lib64"):
        mounts += ["--symlink", f"usr{name}", name] if os.path.islink(name) else ["--ro-bind", name, name]
    if os.path.isdir("/etc/alternatives"):  # where Debian keeps which compiler `cc` is
        mounts += ["--ro-bind", "/etc/alternatives", "/etc/alternatives"]
    return [
        "bwrap", *ALONE, *NO_MORE_NAMESPACES, "--setenv", "PATH", "/usr/bin", *mounts, "--ro-bind", str(folder), "/bot",
        "--size", str(SCRATCH_BYTES), "--tmpfs", SCRATCH, "--remount-ro", "/",
        "--seccomp", str(seccomp), "--chdir", SCRATCH, "--", "/bin/sh", "-c", f"{LIMITS}; {line}",
    ]  # fmt: skip
