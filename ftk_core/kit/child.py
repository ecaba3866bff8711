"""A started process with three pipes, and its complete termination."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field

LAUNCHER_SECONDS = 2
"""Seconds a bot's launcher may take to end after the bot."""


@dataclass(slots=True, kw_only=True)
class Child:
    """A bot's process; `end` closes the descriptors."""

    stdin: int
    stdout: int
    stderr: int
    pid: int
    """The process that runs the bot's code; its CPU clock is measured."""
    process: subprocess.Popen[bytes] | None = None
    """The process to wait for, if it is our child or grandchild."""
    preface: bytes = b""
    """Bytes to send before anything else."""
    ended: Callable[[], object] | None = None
    """Called once after the end."""
    handle: int = field(init=False)
    """A pidfd, which cannot refer to another process after a PID is reused."""

    def __post_init__(self) -> None:
        try:
            self.handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            self.handle = -1

    def send(self, sign: signal.Signals) -> None:
        """Signal the process; do nothing if it has ended."""
        if self.handle >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.handle, sign)

    def end(self) -> None:
        """Kill the process and its group, reap it, and close our pipe ends."""
        self.send(signal.SIGKILL)
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1
        if self.process is not None:
            _collect(self.process, self.pid)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.close(descriptor)
        if self.ended is not None:
            self.ended()


def child_of(process: subprocess.Popen[bytes]) -> Child:
    """Return a child for a process started with three pipes; the child owns duplicates of the descriptors."""
    ends = []
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream
        ends.append(os.dup(stream.fileno()))
        stream.close()
    return Child(stdin=ends[0], stdout=ends[1], stderr=ends[2], pid=process.pid, process=process)


def _collect(process: subprocess.Popen[bytes], pid: int) -> None:
    if pid != process.pid:  # the launcher sees the bot's death and then ends by itself
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LAUNCHER_SECONDS)
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
