"""Sandboxed compilation of bots: only the compiler and the source are readable, and scratch space is limited."""

from __future__ import annotations

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from bots.cage.bwrap import ALONE, NO_MORE_NAMESPACES, sealed_file
from bots.cage.compiler import CagedCompiler, tools_of
from bots.cage.inside import nobody
from bots.cage.inside.boot import OOM_SCORE
from bots.cage.runtime import CageUnavailable
from ftk_core.kit.compiling import SAID
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.languages import MIB, Compiler

WORDS_BYTES = 64 << 10
"""Maximum size of the compiler's output."""
CHUNK = 1 << 16
SCRATCH = "/tmp"  # noqa: S108 - its own
OUT = f"{SCRATCH}/out"
FINISHED = b"\0"
"""Written by the shell after the compiler's output."""
NULL_DEVICE = ("--dev-bind", "/dev/null", "/dev/null")
"""The shell's background process reads from it."""
DIES_FIRST = ("/bin/sh", "-c", f'echo {OOM_SCORE} > /proc/self/oom_score_adj && exec "$@"', "build")
"""Command prefix that makes the kernel end the build first if memory runs out; see `boot.die_first`."""
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
"""Devices that Go and Java need. Of /proc only the link to the compiler's location is shown, which they read there."""


def build(folder: Path, language: str, source: str) -> tuple[bytes, str]:
    """Compile a source file; return the program and the compiler's output.

    Raises BuildFailed, or CageUnavailable if it cannot be sandboxed.
    """
    tools = tools_of(language)
    compiler = tools.found.compiler
    if shutil.which("bwrap") is None:
        raise CageUnavailable("bots are compiled in bwrap, which is not installed; Debian: apt install bubblewrap")
    seccomp = os.open(f"/proc/self/fd/{sealed_file('build_threads' if compiler.threads else 'build')}", os.O_RDONLY)
    try:
        with nobody.kept_back():
            process = subprocess.Popen(
                [*DIES_FIRST, *_argv(folder, source, tools, seccomp)],
                env={"PATH": os.defpath}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                pass_fds=(seccomp,), start_new_session=True,
            )  # fmt: skip
    finally:
        os.close(seccomp)
    with process:
        try:
            program, words = _heard(process, compiler)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    said = words.replace(FINISHED, b"").decode(errors="replace").strip()[:SAID]
    if process.returncode != 0 or not program:
        raise BuildFailed(f"{said or f'{source}: it ended with {process.returncode}'}\n{_allowed(source, compiler)}")
    return program, said


def _allowed(source: str, compiler: Compiler) -> str:
    """Return a sentence with the build's limits, for authors whose build reached one."""
    most = compiler.limits
    return (
        f"({source} was compiled with {most.memory_mib} MiB of memory and {most.cpu_seconds} s of computing for each"
        f" process, {most.seconds} s in all, {most.scratch_mib} MiB to write; `ftk check` tries the same at home)"
    )


def _heard(process: subprocess.Popen[bytes], compiler: Compiler) -> tuple[bytes, bytes]:
    """Read the program and the compiler's output until it ends; raises BuildFailed if either is too long."""
    assert process.stdout
    assert process.stderr
    heard = {process.stdout: bytearray(), process.stderr: bytearray()}
    most = {process.stdout: compiler.limits.program_bytes, process.stderr: WORDS_BYTES}
    deadline = time.monotonic() + compiler.limits.seconds
    with selectors.DefaultSelector() as ready:
        for stream in heard:
            ready.register(stream, selectors.EVENT_READ)
        while ready.get_map():
            events = ready.select(max(0.0, deadline - time.monotonic()))
            if not events:
                raise BuildFailed(
                    f"the compiler was not ready after {compiler.limits.seconds} s: write less, or simpler"
                )
            for key, _ in events:
                stream = process.stdout if key.fileobj is process.stdout else process.stderr
                data = os.read(stream.fileno(), CHUNK)
                heard[stream] += data
                if FINISHED in data and stream is process.stderr:
                    _confirm_presence(process)
                if not data:
                    ready.unregister(stream)
                if len(heard[stream]) > most[stream]:
                    raise BuildFailed(
                        _too_long(bytes(heard[process.stderr]), most[process.stdout], stream is process.stdout)
                    )
    process.wait()
    return bytes(heard[process.stdout]), bytes(heard[process.stderr])


def _confirm_presence(process: subprocess.Popen[bytes]) -> None:
    """Signal the shell that the worker is alive, so that it ends with the exit status of the build."""
    assert process.stdin
    with suppress(BrokenPipeError, ValueError):  # it has ended already, or was signalled before
        process.stdin.write(b"\n")
        process.stdin.close()


def _too_long(words: bytes, most: int, program: bool) -> str:
    if program:
        return f"the program has more than {most} bytes: leave out what it does not need"
    first = words.decode(errors="replace").strip()[:2000]
    return f"the compiler said more than {WORDS_BYTES} bytes; the first of it: {first}"


def _line(source: str, tools: CagedCompiler) -> str:
    """Return the script for the shell in the sandbox; it sets one limit per command, as dash requires.

    The shell is the first process of its PID namespace, so all processes end with it. After the build it waits for
    our signal, and it ends at any time if this process dies.
    """
    compiler = tools.found.compiler
    most = compiler.limits
    limits = {
        "t": most.cpu_seconds,
        "d" if compiler.threads else "v": most.memory_mib * MIB // 1024,
        "f": most.scratch_mib * MIB // 512,
        "c": 0,
        "n": 256 if compiler.threads else 64,
        "p": most.processes,
    }
    steps = [shlex.join(words) for words in tools.found.steps(source, SCRATCH, OUT)]
    made = "; ".join(["set -e", *(f"{step} >&2" for step in steps), f"cat {OUT}"])
    return "\n".join(
        [
            *(f"ulimit -{of} {much}" for of, much in limits.items()),
            "exec 3<&0",
            f"{{ ({made}); status=$?; printf '\\000' >&2; exit $status; }} 3<&- &",
            "read -r done <&3 && wait $!",
        ]
    )


def _argv(folder: Path, source: str, tools: CagedCompiler, seccomp: int) -> list[str]:
    mounts = [word for path in tools.files for word in ("--ro-bind", path, path)]
    for name in ("/bin", "/lib", "/lib64"):
        mounts += ["--symlink", f"usr{name}", name] if os.path.islink(name) else []
    told = {"PATH": "/usr/bin", **tools.found.environment(SCRATCH)}
    scratch = tools.found.compiler.limits.scratch_mib * MIB
    itself = next(iter(tools.found.programs.values()))
    around = [word for path in DEVICES for word in ("--dev-bind", path, path)]
    around += ["--dir", "/proc/self", "--symlink", itself, "/proc/self/exe"]
    return [
        "bwrap", *ALONE, *NO_MORE_NAMESPACES, *(word for row in told.items() for word in ("--setenv", *row)),
        *mounts, *(around if tools.found.compiler.threads else NULL_DEVICE), "--ro-bind", str(folder), "/bot",
        "--size", str(scratch), "--tmpfs", SCRATCH, "--remount-ro", "/",
        "--seccomp", str(seccomp), "--chdir", "/bot", "--", "/bin/sh", "-c", _line(source, tools),
    ]  # fmt: skip
