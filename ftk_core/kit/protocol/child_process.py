"""A bot's process with pipes for stdin, stdout and stderr."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field

from ftk_core.kit.protocol.child_termination import kill_group

HAS_PIDFDS = hasattr(os, "pidfd_open")
LAUNCHER_SECONDS = 2
"""Maximum time in seconds between the end of a bot and the end of the launcher, the process that started the bot."""


def make_python_variables() -> dict[str, str]:
    """Return environment variables for Python bots: unbuffered output, and `PYTHONPATH` with absolute folders.

    The hash seed is that of the sandbox, so that sets have the same order there and matches can be repeated.
    """
    # A bot starts in its own folder, but relative folders of the caller's PYTHONPATH are relative to another one.
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    search_path = os.pathsep.join(map(os.path.abspath, folders)) if any(folders) else ""
    return {"PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0", **({"PYTHONPATH": search_path} if search_path else {})}


@dataclass(slots=True, kw_only=True)
class ChildProcess:
    """A bot's process and the file descriptors of its pipes. `end` kills the process and closes the pipes."""

    stdin: int
    stdout: int
    stderr: int
    pid: int
    """Process id of the process that runs the bot's code and whose CPU clock is measured."""
    process: subprocess.Popen[bytes] | None = None
    """Child process that `end` kills and waits for: the bot itself, or a launcher that has started the bot. None if
    this process has no such child."""
    preface: bytes = b""
    """Bytes to write to stdin before anything else."""
    ended: Callable[[], object] | None = None
    """Function that is called after the process has ended."""
    handle: int = field(init=False, default=-1)
    """A pidfd, which cannot refer to another process after a PID is reused; -1 without one."""

    def __post_init__(self) -> None:
        if HAS_PIDFDS:
            with contextlib.suppress(ProcessLookupError):
                self.handle = os.pidfd_open(self.pid)

    def suspend(self) -> None:
        """Stop the process until `resume` is called."""
        # Does nothing if the process has ended, or on a system without pidfds.
        self._send("SIGSTOP")

    def resume(self) -> None:
        """Let the suspended process continue."""
        # Does nothing if the process has ended, or on a system without pidfds.
        self._send("SIGCONT")

    def _send(self, sign: str) -> None:
        if self.handle >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.handle, signal.Signals[sign])

    def end(self) -> None:
        """Kill the process and its process group, reap it, and close the pipes to it."""
        self._send("SIGKILL")
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1
        if self.process is not None:
            _reap(self.process, self.pid)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.close(descriptor)
        if self.ended is not None:
            self.ended()


def wrap_process(process: subprocess.Popen[bytes]) -> ChildProcess:
    """Return a ChildProcess that takes over a process with three pipes."""
    # The pipe objects of `process` are closed.
    ends = []
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream
        ends.append(os.dup(stream.fileno()))
        stream.close()
    return ChildProcess(stdin=ends[0], stdout=ends[1], stderr=ends[2], pid=process.pid, process=process)


def _reap(process: subprocess.Popen[bytes], pid: int) -> None:
    if pid != process.pid:  # the launcher sees the bot's death and then ends by itself
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LAUNCHER_SECONDS)
    if process.returncode is None:
        kill_group(process.pid)
    process.wait()
