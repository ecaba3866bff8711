"""Compile a bot, caged too: nothing to read but the compiler and the source, scratch space under a limit."""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from bots.cage.bwrap import ALONE, NO_MORE_NAMESPACES, sealed_file
from bots.cage.compiler import compiler
from bots.cage.inside import nobody
from bots.cage.runtime import CageUnavailable
from ftk_core.kit.holding import BuildFailed

SECONDS = 60
BINARY_BYTES = 8 << 20
WORDS_BYTES = 64 << 10
"""How much a compiler may say."""
CHUNK = 1 << 16
SCRATCH = "/tmp"  # noqa: S108 - its own
SCRATCH_BYTES = 64 << 20
LIMITS = "; ".join(f"ulimit {limit}" for limit in ("-t 30", "-v 1048576", "-f 65536", "-c 0", "-n 64"))
"""One by one: dash takes no two at once."""
RECIPES = {"c": "{cc} -std=gnu11 -O2 -pipe -o /tmp/out /bot/{source} -lm && cat /tmp/out"}
"""By the first word of a bot's command: a fixed line, so that an upload chooses no options."""


def build(folder: Path, language: str, source: str) -> bytes:
    """Return the program made of a source file; raises BuildFailed, or CageUnavailable where it cannot be contained."""
    cc, files = compiler()
    line = RECIPES[language].format(cc=cc, source=shlex.quote(source))
    seccomp = os.open(f"/proc/self/fd/{sealed_file('build')}", os.O_RDONLY)
    try:
        with nobody.kept_back():
            process = subprocess.Popen(
                _argv(folder, line, files, seccomp),
                env={"PATH": os.defpath}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                pass_fds=(seccomp,), start_new_session=True,
            )  # fmt: skip
    except FileNotFoundError as error:
        raise CageUnavailable("bots are compiled in bwrap, which is not installed") from error
    finally:
        os.close(seccomp)
    with process:
        try:
            program, words = _heard(process)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode != 0 or not program:
        said = words.decode(errors="replace").strip()[:4000]
        raise BuildFailed(said or f"it ended with {process.returncode}")
    return program


def _heard(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Return the program and the compiler's words once it has ended; raises BuildFailed where either is too long."""
    assert process.stdout
    assert process.stderr
    heard = {process.stdout: bytearray(), process.stderr: bytearray()}
    most = {process.stdout: BINARY_BYTES, process.stderr: WORDS_BYTES}
    deadline = time.monotonic() + SECONDS
    with selectors.DefaultSelector() as ready:
        for stream in heard:
            ready.register(stream, selectors.EVENT_READ)
        while ready.get_map():
            events = ready.select(max(0.0, deadline - time.monotonic()))
            if not events:
                raise BuildFailed(f"the compiler was not ready after {SECONDS} s")
            for key, _ in events:
                stream = process.stdout if key.fileobj is process.stdout else process.stderr
                data = os.read(stream.fileno(), CHUNK)
                heard[stream] += data
                if not data:
                    ready.unregister(stream)
                if len(heard[stream]) > most[stream]:
                    raise BuildFailed(_too_long(bytes(heard[process.stderr]), stream is process.stdout))
    process.wait()
    return bytes(heard[process.stdout]), bytes(heard[process.stderr])


def _too_long(words: bytes, program: bool) -> str:
    if program:
        return f"the program has more than {BINARY_BYTES} bytes"
    first = words.decode(errors="replace").strip()[:2000]
    return f"the compiler said more than {WORDS_BYTES} bytes; the first of it: {first}"


def _argv(folder: Path, line: str, files: tuple[str, ...], seccomp: int) -> list[str]:
    mounts = [word for path in files for word in ("--ro-bind", path, path)]
    for name in ("/bin", "/lib", "/lib64"):
        mounts += ["--symlink", f"usr{name}", name] if os.path.islink(name) else []
    return [
        "bwrap", *ALONE, *NO_MORE_NAMESPACES, "--setenv", "PATH", "/usr/bin", *mounts, "--ro-bind", str(folder), "/bot",
        "--size", str(SCRATCH_BYTES), "--tmpfs", SCRATCH, "--remount-ro", "/",
        "--seccomp", str(seccomp), "--chdir", SCRATCH, "--", "/bin/sh", "-c", f"set -e; {LIMITS}; {line}",
    ]  # fmt: skip
