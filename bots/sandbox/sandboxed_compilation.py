"""Sandboxed compilation of bots: only the compiler and the source are readable, and scratch space is limited."""

from __future__ import annotations

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bots.sandbox.bwrap import ISOLATION_OPTIONS, NO_NAMESPACES_OPTIONS, filter_descriptor
from bots.sandbox.compiler import SandboxedCompiler, find_sandboxed_compiler
from bots.sandbox.inside import user_namespace
from bots.sandbox.inside.boot import OOM_SCORE
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.out_of_memory_detection import BotMemoryCounters, HostMemoryError
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.uploads.bot_compilation import MAX_OUTPUT_CHARACTERS
from ftk_core.kit.uploads.programming_languages import MIB, CompilerCommands

MAX_OUTPUT_BYTES = 64 << 10
"""Maximum bytes of the compiler's messages."""
CHUNK_BYTES = 1 << 16
POLL_SECONDS = 0.5
SCRATCH = "/tmp"  # noqa: S108 - the sandbox's own tmpfs
PROGRAM_PATH = f"{SCRATCH}/out"
START_OF_BUILD = b"\1"
"""Byte that the shell writes to stderr before it runs the compiler; without it, the sandbox failed, not the source."""
END_OF_BUILD = b"\0"
"""Byte that the shell writes to stderr when the compilation has ended, after the compiler's messages."""
NULL_DEVICE = ("--dev-bind", "/dev/null", "/dev/null")
"""Options of bwrap that mount /dev/null, which the shell in the sandbox needs to start a background process."""
OOM_FIRST_COMMAND = ("/bin/sh", "-c", f'echo {OOM_SCORE} > /proc/self/oom_score_adj && exec "$@"', "build")
"""Command prefix that gives the compilation the highest OOM score: if memory runs out, the kernel kills it first."""
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
"""Devices that compilers with threads need, such as those of Go and Java.

These compilers also read the link /proc/self/exe, which is all that they see of /proc.
"""


def build_program(
    folder: Path, language: str, source: str, *, waiting: Callable[[], None] = lambda: None
) -> tuple[bytes, str]:
    """Compile a source file in the sandbox. Return the program and the compiler's messages.

    Calls `waiting` regularly; an error raised by `waiting` ends the compilation. Raises BotBuildError,
    SandboxUnavailable, or HostMemoryError if the machine ran out of memory during the compilation.
    """
    tools, memory = find_sandboxed_compiler(language), BotMemoryCounters(None)
    try:
        return _run_build(folder, source, tools, waiting)
    except BotBuildError as error:
        if memory.was_killed():
            raise HostMemoryError(f"{source} was not compiled: the machine had no memory left") from error
        raise


def _run_build(folder: Path, source: str, tools: SandboxedCompiler, waiting: Callable[[], None]) -> tuple[bytes, str]:
    compiler = tools.found.compiler
    if shutil.which("bwrap") is None:
        raise SandboxUnavailable("bots are compiled in bwrap, which is not installed; Debian: apt install bubblewrap")
    seccomp = os.open(
        f"/proc/self/fd/{filter_descriptor('build_threads' if compiler.threads else 'build')}", os.O_RDONLY
    )
    try:
        with user_namespace.without_ambient_capabilities():
            process = subprocess.Popen(
                [*OOM_FIRST_COMMAND, *_bwrap_command(folder, source, tools, seccomp)],
                env={"PATH": os.defpath}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                pass_fds=(seccomp,), start_new_session=True,
            )  # fmt: skip
    finally:
        os.close(seccomp)
    with process:
        try:
            program, output = _read_output(process, compiler, waiting)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    message = _decode_messages(output)[:MAX_OUTPUT_CHARACTERS]
    if START_OF_BUILD not in output:
        raise SandboxUnavailable(message or f"bwrap ended with {process.returncode} before the compilation of {source}")
    if process.returncode != 0 or not program:
        raise BotBuildError(
            f"{message or f'{source}: it ended with {process.returncode}'}\n{_describe_limits(source, compiler)}"
        )
    return program, message


def _decode_messages(output: bytes) -> str:
    """Return the compiler's messages as text, without the marker bytes that the shell writes around them."""
    return output.replace(START_OF_BUILD, b"").replace(END_OF_BUILD, b"").decode(errors="replace").strip()


def _describe_limits(source: str, compiler: CompilerCommands) -> str:
    """Return a sentence with the limits of a compilation, for authors whose compilation failed."""
    limits = compiler.limits
    return (
        f"({source} was compiled with {limits.memory_mib} MiB of memory and {limits.cpu_seconds} s of computing"
        f" for each process, {limits.seconds} s in all, {limits.scratch_mib} MiB to write;"
        " `ftk check` tries the same at home)"
    )


def _read_output(
    process: subprocess.Popen[bytes], compiler: CompilerCommands, waiting: Callable[[], None]
) -> tuple[bytes, bytes]:
    """Wait for the compiler to end, and return (program, compiler's messages) as bytes.

    Raises BotBuildError if the compiler exceeds a limit on time or output, or SandboxUnavailable if it never started.
    """
    assert process.stdout
    assert process.stderr
    received = {process.stdout: bytearray(), process.stderr: bytearray()}
    max_bytes = {process.stdout: compiler.limits.program_bytes, process.stderr: MAX_OUTPUT_BYTES}
    deadline = time.monotonic() + compiler.limits.seconds
    with selectors.DefaultSelector() as ready:
        for stream in received:
            ready.register(stream, selectors.EVENT_READ)
        while ready.get_map():
            events = ready.select(min(POLL_SECONDS, max(0.0, deadline - time.monotonic())))
            waiting()
            if not events and time.monotonic() >= deadline:
                raise _create_timeout_error(bytes(received[process.stderr]), compiler.limits.seconds)
            for key, _ in events:
                stream = process.stdout if key.fileobj is process.stdout else process.stderr
                data = os.read(stream.fileno(), CHUNK_BYTES)
                received[stream] += data
                if END_OF_BUILD in data and stream is process.stderr:
                    _confirm_presence(process)
                if not data:
                    ready.unregister(stream)
                if len(received[stream]) > max_bytes[stream]:
                    raise BotBuildError(
                        _describe_excess(
                            bytes(received[process.stderr]), max_bytes[process.stdout], stream is process.stdout
                        )
                    )
    process.wait()
    return bytes(received[process.stdout]), bytes(received[process.stderr])


def _create_timeout_error(output: bytes, seconds: int) -> BotBuildError | SandboxUnavailable:
    if START_OF_BUILD not in output:
        return SandboxUnavailable(f"bwrap did not start the compiler within {seconds} s")
    return BotBuildError(f"the compiler was not ready after {seconds} s: write less, or simpler")


def _confirm_presence(process: subprocess.Popen[bytes]) -> None:
    """Send the line that lets the build shell exit with the compiler's status."""
    # If the worker dies, stdin is closed without this line, and the shell ends without a result.
    assert process.stdin
    with suppress(BrokenPipeError, ValueError):  # the shell has ended, or stdin is closed already
        process.stdin.write(b"\n")
        process.stdin.close()


def _describe_excess(output: bytes, max_bytes: int, program: bool) -> str:
    if program:
        return f"the program has more than {max_bytes} bytes: leave out what it does not need"
    beginning = _decode_messages(output)[:2000]
    return f"the compiler said more than {MAX_OUTPUT_BYTES} bytes; the first of it: {beginning}"


def _shell_script(source: str, tools: SandboxedCompiler) -> str:
    """Return the shell script that compiles a bot in the sandbox."""
    # dash accepts only one limit per ulimit command. The shell is the first process of its PID namespace, so all
    # processes end with it. It waits for a line on stdin from the worker, and ends at any time if the worker dies.
    compiler = tools.found.compiler
    build_limits = compiler.limits
    limits = {
        "t": build_limits.cpu_seconds,
        "d" if compiler.threads else "v": build_limits.memory_mib * MIB // 1024,
        "f": build_limits.scratch_mib * MIB // 512,
        "c": 0,
        "n": 256 if compiler.threads else 64,
        "p": build_limits.processes,
    }
    steps = [shlex.join(step_command) for step_command in tools.found.steps(source, SCRATCH, PROGRAM_PATH)]
    script = "; ".join(["set -e", *(f"{step} >&2" for step in steps), f"cat {PROGRAM_PATH}"])
    return "\n".join(
        [
            "printf '\\001' >&2",
            *(f"ulimit -{option} {value}" for option, value in limits.items()),
            "exec 3<&0",
            f"{{ ({script}); status=$?; printf '\\000' >&2; exit $status; }} 3<&- &",
            "read -r done <&3 && wait $!",
        ]
    )


def _bwrap_command(folder: Path, source: str, tools: SandboxedCompiler, seccomp: int) -> list[str]:
    mounts = [option for path in tools.files for option in ("--ro-bind", path, path)]
    for name in ("/bin", "/lib", "/lib64"):
        mounts += ["--symlink", f"usr{name}", name] if os.path.islink(name) else []
    environment = {"PATH": "/usr/bin", **tools.found.environment(SCRATCH)}
    scratch = tools.found.compiler.limits.scratch_mib * MIB
    compiler_path = next(iter(tools.found.programs.values()))
    devices = [option for path in DEVICES for option in ("--dev-bind", path, path)]
    devices += ["--dir", "/proc/self", "--symlink", compiler_path, "/proc/self/exe"]
    return [
        "bwrap", *ISOLATION_OPTIONS, *NO_NAMESPACES_OPTIONS,
        *(option for variable in environment.items() for option in ("--setenv", *variable)), *mounts,
        *(devices if tools.found.compiler.threads else NULL_DEVICE), "--ro-bind", str(folder), "/bot",
        "--size", str(scratch), "--tmpfs", SCRATCH, "--remount-ro", "/",
        "--seccomp", str(seccomp), "--chdir", "/bot", "--", "/bin/sh", "-c", _shell_script(source, tools),
    ]  # fmt: skip
